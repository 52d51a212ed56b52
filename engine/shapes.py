"""What msgspec knows of a type it learns when it meets it first, and two threads must not do so at once: the process
would die. So whoever may be the first to meet one holds this lock. Knows no type."""

from threading import Lock

learning = Lock()
