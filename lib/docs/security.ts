import { OTHER_LEAKS } from './redaction-traps'

/** A promise of the service, and how it is tested. */
export interface SecurityPromise {
  /** The attack, in a few words for a heading. */
  against: string
  /** What the service does against the attack. Text in backticks is code. */
  promise: string
  /** Parts of `npm run chaos` that test the promise. */
  chaosParts: string[]
}

/** The threat model of the service: all promises, in the order in which an attacker would proceed. */
export const SECURITY_PROMISES: readonly SecurityPromise[] = [
  {
    against: 'Malformed requests',
    promise:
      'Sheaf rejects or cuts off malformed, oversized, endless and slow requests. They cost nothing. Meanwhile, other ' +
      'accounts get their responses. Sheaf counts the bytes of a body while it arrives.',
    chaosParts: ['raw', 'slow', 'names'],
  },
  {
    against: 'Malicious files',
    promise:
      'Separate processes open uploaded files. These processes receive no secrets and have limits for time and memory. A 200 ' +
      'response contains a file that other programs can open. All other responses are errors, and errors are free. ' +
      'Sheaf opens no URL or path from a file and runs none of its scripts.',
    chaosParts: ['files'],
  },
  {
    against: 'Web pages that access internal networks',
    promise:
      "A web page reaches public addresses only. It can't reach the server's own addresses. A proxy resolves names " +
      'and connects only to addresses that it checked. This includes redirects, frames, workers, sockets and ' +
      "changing DNS records. A page can't read the server's files. A URL with a private host returns 400. While a " +
      'page loads, the error for blocked addresses is the same as for unreachable addresses. Files by URL follow the same rules.',
    chaosParts: ['web-addresses'],
  },
  {
    against: 'Web pages that use too many resources',
    promise:
      'While a web page renders, no other page uses its browser. Memory, time and requests have limits. The memory ' +
      'limit covers all processes of the browser together. Afterward, Sheaf closes the browser context of the page. ' +
      'This deletes its cookies and other data.',
    chaosParts: ['web-pages', 'page-memory', 'ledger-browser'],
  },
  {
    against: 'Unpaid requests and double charges',
    promise:
      'A single database statement takes the credit before Sheaf processes the files. Sheaf refunds the credit if ' +
      'the request returns no file, even if a process is killed in between. If the process that edits your files ' +
      'crashes, Sheaf tries once more. With an `Idempotency-Key`, up to 3 repeats of a successful request within 24 ' +
      'hours are free.',
    chaosParts: ['ledger', 'idempotency', 'client-gone', 'clock', 'database', 'disk'],
  },
  {
    against: 'Credits without payments, and payments without credits',
    promise:
      'The server sets prices. Sheaf checks the signature and amount of each Stripe event. It applies each event ' +
      'once, whatever the order of the events. A refund removes the credits of its payment. Automatic top-up pays ' +
      'once for a low balance. A refund or a dispute turns it off. Sheaf refunds payments for deleted accounts. It ' +
      'compares the ledger with Stripe every night. No card data reaches the server.',
    chaosParts: ['purchases'],
  },
  {
    against: 'Strangers with many free accounts',
    promise:
      'A network can create 5 accounts in 24 hours. A network is an IPv4 address or an IPv6 `/64`. A `/24` of IPv4 and ' +
      'a `/48` of IPv6 get 10 times as many. A mailbox gets one account, because Sheaf ignores `+tag` in email ' +
      'addresses, and dots in addresses of Gmail. Accounts that never paid have 1 minute of failed work in ' +
      '10 minutes. In one IPv4 address or IPv6 `/48`, they share that minute and half of the slots for web ' +
      'pages. Accounts that paid come first in the queue, and other accounts get three quarters of the slots, ' +
      'rounded up. Operators can require an invitation, and can limit the free credits of a day. These are default ' +
      'settings.',
    chaosParts: ['fair-strangers'],
  },
  {
    against: 'Accounts that slow down others',
    promise:
      'On each instance, an account can use half of the upload memory. Its unread responses can use half of the disk ' +
      'space for responses. Downloads of other accounts leave room for responses up to 1 MB. An account can have 64 ' +
      'waiting requests. In 10 minutes, its failed requests can use up to 10 minutes of processing. These are default settings. Small ' +
      'uploads have separate memory. One engine process and one browser are reserved for accounts that have nothing ' +
      'running. Sheaf cuts off downloads, and uploads of API requests, slower than 64 KB/s over 20 s. Requests share ' +
      'no file names, content or browser sessions. Many accounts that paid can still make others wait.',
    chaosParts: ['neighbor', 'fair', 'load'],
  },
  {
    against: 'Stolen and guessed API keys',
    promise:
      'Sheaf shows a key once and stores its hash. After that, no log, page, URL or error contains the key. A ' +
      'rotated key stops working when you receive the new one. Sheaf reads keys only from the header `x-api-key`. ' +
      'The time of a rejection reveals nothing about valid keys.',
    chaosParts: ['account-secrets', 'rotation'],
  },
  {
    against: 'Guessed passwords',
    promise:
      'Sign-in allows 10 failed attempts per email and network every 15 minutes. A network is an IPv4 address or an ' +
      'IPv6 `/64`. Larger groups of networks have limits per email, too. A `/48` gets 30 attempts, and all networks ' +
      'together get 50. The limit of 50 does not apply to networks from which you signed in before. Responses and ' +
      'their times do not show whether an email has an account.',
    chaosParts: ['account-sign-in'],
  },
  {
    against: 'Accounts that a stranger creates with your email address',
    promise:
      "If an account's email address is unconfirmed, nobody can add sign-in with GitHub or Google to the account. If " +
      "you confirm your address in a browser that isn't signed in, Sheaf removes the account's earlier setup. That " +
      'includes the password, sessions, the key and automatic top-up. First, a page lists what Sheaf will remove and ' +
      'asks you. In a browser that is signed in to the account, Sheaf removes nothing.',
    chaosParts: ['account-proof'],
  },
  {
    against: 'Cross-site attacks',
    promise:
      'Only pages of the account area can perform its actions. Each sign-in starts a new session. Requests that read ' +
      'data change nothing. Pages run only their own scripts and cannot be framed.',
    chaosParts: ['account-session'],
  },
]

/** What isn't promised. Each entry is at most three sentences. */
export const NOT_PROMISED: readonly string[] = [
  'Scripts and actions in a PDF stay in the result, unless a tool removes them. Open results in a viewer that asks ' +
    'before it runs them.',
  'Redaction removes only what you select. It searches text in images only if `ocr` is `true`, and never handwriting.',
  '`X-Redaction-Verified: true` says that the checks of Sheaf found nothing, not that no check could. ' + OTHER_LEAKS,
  'Redaction keeps attached files unchanged, or removes them if `attachments` is `remove`. `X-Redaction-Verified` ' +
    'is `false` if a search rule matches an attached file, or if Sheaf cannot search the file. Sheaf can search ' +
    'plain text files of up to 5 MB.',
  'Sheaf opens a web page as a public visitor, except for the cookies, headers and password you send. Do not send ' +
    'URLs that contain secrets.',
  'People who run a server can see the documents it processes. Sheaf does not encrypt its memory or database.',
  'An attacker with many networks can create many accounts. Each gets free credits and 1 minute of failed work per ' +
    'network. Together, these accounts can hold three quarters of the slots, so that other free accounts wait.',
  'Users behind one shared IP address also share the limits for accounts that never paid.',
  "TLS ends at the operator's proxy. Sheaf does not stop network floods. The operator must stop them before they " +
    'reach the server.',
  'If the machine does not allow the browser sandbox, only separate processes isolate web pages. `/status` shows the ' +
    'state of the sandbox.',
  'The embedded database survives a killed process, but not a power failure. Postgres survives both.',
]

/** How to report a vulnerability. Each entry is at most three sentences. */
export const VULNERABILITY_REPORT: readonly string[] = [
  'Report it privately to the operator of this server. If the operator has set an email address, `/openapi.json` ' +
    'contains it as `info.contact.email`. Do not publish the vulnerability before it is fixed.',
  'For the software itself, follow `SECURITY.md` in its repository.',
  'Tell us what you sent, what you got with its `X-Request-Id`, and what you expected. A file or a command that ' +
    'shows the problem helps most.',
  "Do not send other people's files. Test on your own server, and do not read or change other people's data.",
]
