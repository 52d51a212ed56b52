"""Letters that came back, in the shapes in which mail servers send them. {mail} stands for whom it was for."""

POSTFIX = """\
Return-Path: <>
From: MAILER-DAEMON@mx.example.org (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: bounce@example.org
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
 boundary="4C7A21F.1700000000/mx.example.org"
Message-Id: <20261117180000.4C7A21F@mx.example.org>

This is a MIME-encapsulated message.

--4C7A21F.1700000000/mx.example.org
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.example.org.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

                   The mail system

<{mail}>: host mx.players.example[192.0.2.7] said: 550 5.1.1
    <{mail}>: Recipient address rejected: User unknown in local
    recipient table (in reply to RCPT TO command)

--4C7A21F.1700000000/mx.example.org
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org
X-Postfix-Queue-ID: 4C7A21F
X-Postfix-Sender: rfc822; bounce@example.org
Arrival-Date: Tue, 17 Nov 2026 18:00:00 +0000 (UTC)

Final-Recipient: rfc822; {mail}
Original-Recipient: rfc822;{mail}
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.players.example
Diagnostic-Code: smtp; 550 5.1.1 <{mail}>: Recipient address rejected:
    User unknown in local recipient table

--4C7A21F.1700000000/mx.example.org
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

From: Hikyaku <hikyaku@example.org>
To: {mail}
Subject: Traders of Osaka

--4C7A21F.1700000000/mx.example.org--
"""

EXIM = """\
Return-Path: <>
X-Failed-Recipients: {mail}
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@exim.example.org>
To: bounce@example.org
Content-Type: multipart/report; report-type=delivery-status; boundary=1700000000-eximdsn-1
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1rABC-0001Ab-2k@exim.example.org>

--1700000000-eximdsn-1
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  {mail}
    host mx.players.example [192.0.2.7]
    SMTP error from remote mail server after RCPT TO:<{mail}>:
    550 5.1.1 no such user

--1700000000-eximdsn-1
Content-type: message/delivery-status

Reporting-MTA: dns; exim.example.org

Action: failed
Final-Recipient: rfc822;{mail}
Status: 5.0.0
Remote-MTA: dns; mx.players.example
Diagnostic-Code: smtp; 550 5.1.1 no such user

--1700000000-eximdsn-1
Content-type: message/rfc822

From: Hikyaku <hikyaku@example.org>
To: {mail}
Subject: Traders of Osaka

1) Take a coin

--1700000000-eximdsn-1--
"""

EXIM_ITSELF = """\
Return-Path: <>
X-Failed-Recipients: {mail}
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mx.example.org>
To: bounce@example.org
Content-Type: multipart/report; report-type=delivery-status; boundary=1794944984-eximdsn-505034660
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1xTPBY-0005ly-0P@mx.example.org>

--1794944984-eximdsn-505034660
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  {mail}
    Unrouteable address

--1794944984-eximdsn-505034660
Content-type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Action: failed
Final-Recipient: rfc822;{mail}
Status: 5.0.0

--1794944984-eximdsn-505034660--
"""

OLD_EXIM = """\
Return-Path: <>
X-Failed-Recipients: {mail}
From: Mail Delivery System <Mailer-Daemon@exim.example.org>
To: bounce@example.org
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1old-0001Ab-2k@exim.example.org>

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  {mail}
    550 5.1.1 unrouteable address

------ This is a copy of the message, including all the headers. ------

From: Hikyaku <hikyaku@example.org>
To: {mail}

1) Take a coin
"""

EXCHANGE = """\
Return-Path: <>
From: <postmaster@players.example>
To: bounce@example.org
Subject: Undeliverable: Traders of Osaka
Message-ID: <a1b2c3@AM0PR01MB1234.eurprd01.prod.exchangelabs.com>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="_f51d_"

--_f51d_
Content-Type: multipart/alternative; differences=Content-Type; boundary="_1c1b_"

--_1c1b_
Content-Type: text/plain; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

Your message to {mail} couldn't be delivered.
When Office 365 tried to send your message, the receiving email server repo=
rted an error.

--_1c1b_--

--_f51d_
Content-Type: message/delivery-status

Reporting-MTA: dns;AM0PR01MB1234.eurprd01.prod.exchangelabs.com
Received-From-MTA: dns;mx.example.org
Arrival-Date: Tue, 17 Nov 2026 18:00:00 +0000

Final-Recipient: rfc822;{mail}
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient {mail} not found by SMTP address lookup
X-Display-Name: {mail}

--_f51d_--
"""

GMAIL = """\
Return-Path: <>
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: bounce@example.org
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
Message-ID: <655a.170a.1@mx.google.com>
Content-Type: multipart/report; boundary="0000a1"; report-type=delivery-status

--0000a1
Content-Type: multipart/related; boundary="0000b2"

--0000b2
Content-Type: multipart/alternative; boundary="0000c3"

--0000c3
Content-Type: text/plain; charset="UTF-8"

** Address not found **

Your message wasn't delivered to {mail} because the address couldn't be found, or is unable to receive mail.

Learn more here: https://support.google.com/mail/?p=NoSuchUser

--0000c3--

--0000b2--

--0000a1
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
Arrival-Date: Tue, 17 Nov 2026 10:00:00 -0800 (PST)

Final-Recipient: rfc822; {mail}
Action: failed
Status: 5.1.1
Remote-MTA: dns; gmail-smtp-in.l.google.com. (192.0.2.26, the server for the domain.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try
 550-5.1.1 double-checking the recipient's email address for typos or
 550 5.1.1  https://support.google.com/mail/?p=NoSuchUser x1-20020a05 - gsmtp
Last-Attempt-Date: Tue, 17 Nov 2026 10:00:01 -0800 (PST)

--0000a1--
"""

QMAIL = """\
Return-Path: <>
From: MAILER-DAEMON@qmail.example.org
To: bounce@example.org
Subject: failure notice
Message-ID: <20261117.qmail@qmail.example.org>

Hi. This is the qmail-send program at qmail.example.org.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<{mail}>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <bounce@example.org>
From: Hikyaku <hikyaku@example.org>
To: {mail}

1) Take a coin
"""

DELAYED = """\
Return-Path: <>
From: MAILER-DAEMON@mx.example.org (Mail Delivery System)
Subject: Delayed Mail (still being retried)
To: bounce@example.org
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="late"
Message-Id: <late@mx.example.org>

--late
Content-Type: text/plain; charset=us-ascii

THIS IS A WARNING ONLY.  YOU DO NOT NEED TO RESEND YOUR MESSAGE.

--late
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; {mail}
Action: delayed
Status: 4.4.1
Diagnostic-Code: X-Postfix; connect to mx.players.example[192.0.2.7]:25:
    Connection timed out
Will-Retry-Until: Sun, 22 Nov 2026 18:00:00 +0000 (UTC)

--late--
"""

DELIVERED = DELAYED.replace("Action: delayed", "Action: delivered").replace("Status: 4.4.1", "Status: 2.0.0")

ON_HOLIDAY = """\
Return-Path: <>
From: {mail}
To: bounce@example.org
Subject: Re: Traders of Osaka
Auto-Submitted: auto-replied
Message-ID: <away@players.example>

I am away until Monday. Mail to my colleague at 550 5th Avenue is read.
"""

SHAPES = {
    "postfix": POSTFIX,
    "exim": EXIM,
    "old exim": OLD_EXIM,
    "Exchange": EXCHANGE,
    "Gmail": GMAIL,
    "qmail": QMAIL,
}
