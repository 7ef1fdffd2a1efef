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
      'Sheaf rejects or cuts off malformed, oversized, endless and slow requests. They cost nothing and delay no ' +
      'other account. Sheaf counts the bytes of a body while it arrives.',
    chaosParts: ['raw', 'slow', 'names'],
  },
  {
    against: 'Malicious files',
    promise:
      'Separate processes read files. These processes know no secrets and have limits for time and memory. A 200 ' +
      'response contains a file that other programs can open. Other results are errors and free. Sheaf opens no URL ' +
      'or path from a file and runs none of its scripts.',
    chaosParts: ['files'],
  },
  {
    against: 'Web pages that access internal networks',
    promise:
      'A web page reaches public addresses only, and none of the server. A proxy resolves names and connects only to ' +
      'addresses that it checked. This includes redirects, frames, workers, sockets and changing DNS records. A page ' +
      "can't read files of the server. The error doesn't show whether an address was blocked or doesn't exist.",
    chaosParts: ['web-addresses'],
  },
  {
    against: 'Web pages that use too many resources',
    promise:
      'Each web page has its own browser while it renders, with limits for memory, time and requests. The memory ' +
      'limit covers all its processes together. Nothing of the page remains in the browser afterward.',
    chaosParts: ['web-pages', 'page-memory', 'ledger-browser'],
  },
  {
    against: 'Unpaid requests and double charges',
    promise:
      'One statement takes the credit before the work. Sheaf refunds it if the request returns no file, even if a ' +
      'process is killed in between. Sheaf retries a job once if its engine crashes. An `Idempotency-Key` makes a ' +
      'repeated request free.',
    chaosParts: ['ledger', 'last-credit', 'idempotency', 'client-gone', 'clock', 'database', 'disk'],
  },
  {
    against: 'Credits without payments, and payments without credits',
    promise:
      'The server sets prices. Sheaf checks the signature and amount of each event from Stripe and applies the event ' +
      'once, in any order. A refunded payment removes its credits. Automatic top-up pays once for a low balance, and ' +
      'never after a refund or a dispute. Sheaf refunds payments for deleted accounts. It compares the ledger with ' +
      'Stripe every night. No card data reaches the server.',
    chaosParts: ['purchases'],
  },
  {
    against: 'Accounts that slow down others',
    promise:
      'On each instance, an account can use half of the memory for uploads and half of the memory for responses. It ' +
      'can have 64 waiting requests, and 10 minutes of failed work in 10 minutes. These are default settings. Small ' +
      'uploads have separate memory. Engines and browsers keep a place for accounts that have nothing running. Sheaf ' +
      'cuts off uploads and downloads slower than 64 KB/s over 20 s. Requests share no file names, content or ' +
      'browser sessions. Many accounts together can still make others wait.',
    chaosParts: ['neighbor', 'fair', 'load'],
  },
  {
    against: 'Stolen and guessed API keys',
    promise:
      'Sheaf shows a key once and stores its hash. No log, page, URL or error contains the key. A rotated key stops ' +
      'working when you receive the new one. Sheaf reads keys only from the header `x-api-key`. The time of a ' +
      'rejection reveals nothing about valid keys.',
    chaosParts: ['account-secrets', 'rotation'],
  },
  {
    against: 'Guessed passwords',
    promise:
      'Sign-in allows 10 failed attempts per email and network every 15 minutes. A network is an IPv4 address or an ' +
      'IPv6 `/64`. A `/48` gets 30 attempts per email, and all networks together get 50. The last limit exempts ' +
      'networks from which the owner signed in before. Neither a response nor its time shows whether an email has an ' +
      'account.',
    chaosParts: ['account-sign-in'],
  },
  {
    against: 'Accounts that a stranger creates with your email address',
    promise:
      'Nobody can link a sign-in to an account with an unconfirmed email address. The first confirmation in a ' +
      "browser that isn't signed in ends everything that was set up before. That includes the password, sessions, the " +
      'key, linked sign-ins and automatic top-up. A page lists what will end and asks first. In a signed-in browser, nothing ends.',
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

/** What isn't promised. Each entry is one or two sentences. */
export const NOT_PROMISED: readonly string[] = [
  'Scripts and actions in a PDF stay in the result, unless a tool removes them. Open results in a viewer that asks ' +
    'before it runs them.',
  'Redaction removes only what you select. It searches text in images with `ocr` only. It does not search ' +
    'handwriting or attached files.',
  'Sheaf opens a web page as a public visitor. Do not send URLs that contain secrets.',
  'People who run a server can see the documents it processes. Nothing is encrypted against the machine itself.',
  "TLS ends at the operator's proxy. Network floods must be stopped before they reach the server.",
  'If the machine allows the browser no sandbox, only processes separate its pages. `/api/health` says which applies.',
  'The embedded database survives a killed process, but not a power failure. Postgres survives both.',
]

/** How to report a vulnerability. Each entry is one or two sentences. */
export const VULNERABILITY_REPORT: readonly string[] = [
  'Report it privately to the people who run your server. Do not publish it before it is fixed.',
  'For the software itself, follow `SECURITY.md` in its repository.',
  'Tell us what you sent, what you got with its `X-Request-Id`, and what you expected. A file or a command that ' +
    'shows the problem helps most.',
  'Do not send files of other people. Test on your own server, and do not read or change data of others.',
]
