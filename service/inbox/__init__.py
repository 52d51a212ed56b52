"""What comes in by mail: answers to letters, and letters that came back. Knows no Flask and no mail server: whoever
opens a door to the world calls `service.inbox.receiving.receive`."""
