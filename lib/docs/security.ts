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
    against: 'Requests that are no requests',
    promise:
      'A broken, oversized, endless or slow request is refused in words or cut off, costs nothing and holds up ' +
      'nobody else. Bodies are counted while they come in.',
    chaosParts: ['raw', 'slow', 'names'],
  },
  {
    against: 'Files made to harm',
    promise:
      'Files are read in processes of their own, which know no secrets and are ended when they take too long or ' +
      'too much memory. An answer with 200 is a file that other programs open; anything else is 422 and free. No ' +
      'address and no path in a file is followed, no script in it is run.',
    chaosParts: ['files'],
  },
  {
    against: 'Pages that reach into the network',
    promise:
      'A web page reaches public addresses only, and none of this server, through a proxy that resolves names ' +
      'itself and dials what it has checked: redirects, frames, workers, sockets and changing names included. It ' +
      'never sees a file of the server. Whether an address was refused or is not there cannot be told from the ' +
      'answer.',
    chaosParts: ['web-addresses'],
  },
  {
    against: 'Pages that take all they can get',
    promise:
      'While a page is printed it has a browser of its own, with a limit for the memory of all its processes ' +
      'together. It has a time and a number of requests of its own. Afterwards nothing of it is left in the ' +
      'browser.',
    chaosParts: ['web-pages', 'page-memory', 'ledger-browser'],
  },
  {
    against: 'Calls without paying, and paying twice',
    promise:
      'A credit is taken with one statement before the work and given back when no file comes of it, also when a ' +
      'process is killed amid of it. A job whose engine crashed is tried once more. An `Idempotency-Key` makes a ' +
      'repeated call free.',
    chaosParts: ['ledger', 'last-credit', 'idempotency', 'client-gone', 'clock', 'database', 'disk'],
  },
  {
    against: 'Credits without a payment, and payments without credits',
    promise:
      'Prices are made by the server. Events of the payment service count once, by their signature and by their ' +
      'sum, in any order; money that goes back takes its credits with it. Automatic top-up pays once for a low ' +
      'balance, and never after a refund or a dispute. What is paid after its account was deleted is refunded. The ' +
      'ledger is compared with the payment service each night. No card data reaches the server.',
    chaosParts: ['purchases'],
  },
  {
    against: 'One customer in the way of others',
    promise:
      'With the default settings, an account can hold half of the memory for uploads and half of that for responses, ' +
      '64 waiting requests, and 10 minutes of failed work in 10 minutes, on each instance. Small uploads have ' +
      'memory of ' +
      'their own. Engines and browsers keep a place for accounts that have nothing running. Uploads and downloads ' +
      'slower than 64 KiB/s over 20 s are cut off. Nothing is shared between requests: no file name, no content ' +
      'and no ' +
      'browser session. Many accounts together can still make others wait.',
    chaosParts: ['neighbor', 'fair', 'load'],
  },
  {
    against: 'Stolen and guessed keys',
    promise:
      'A key is shown once and stored as a hash. It stands in no log, page, address or error. A rotated key ends ' +
      'with the answer that brings the new one. Keys are taken from the header `x-api-key` only, and the time of a ' +
      'refusal tells nothing about good keys.',
    chaosParts: ['account-secrets', 'rotation'],
  },
  {
    against: 'Guessed passwords',
    promise:
      'Sign-in allows 10 failed attempts per email and network every 15 minutes. A network is an IPv4 address or an ' +
      'IPv6 `/64`. A `/48` gets 30 attempts per email, and all networks together get 50. The last limit spares ' +
      'networks from which the owner signed in before. Neither a response nor its time tells whether an address ' +
      'has an account.',
    chaosParts: ['account-sign-in'],
  },
  {
    against: 'Accounts that strangers open for the address of somebody else',
    promise:
      'Nothing can be linked to an account whose address nobody has confirmed. The first confirmation in a browser ' +
      'that isn’t signed in ends the password, all sessions, the key, linked sign-ins and automatic top-up. A page ' +
      'names what ends before anything does. In a browser that is signed in nothing ends.',
    chaosParts: ['account-proof'],
  },
  {
    against: 'Other sites in the browser of a customer',
    promise:
      'Actions of the account area are taken from its own pages only, sessions begin anew with each sign-in, ' +
      'nothing that only reads changes anything, pages run no scripts but their own and stand in no frame.',
    chaosParts: ['account-session'],
  },
]

/** What isn't promised. Each entry is one or two sentences. */
export const NOT_PROMISED: readonly string[] = [
  'Active content stays in a file that is worked on: scripts and actions are copied with the page that they belong ' +
    'to, unless a tool removes them. Open results in a reader that asks.',
  'Redaction removes what it is told to, not what it was not told: text in pictures is searched with `ocr` only, ' +
    'and as well as it can be read; handwriting and attached files are not.',
  'Printing a page opens it as a public visitor would. It has no secrets to protect; do not send it addresses that ' +
    'carry some.',
  'Who runs the server sees what it works on. Files are held in memory and not kept, but nothing is encrypted ' +
    'against the machine itself.',
  'TLS ends at the proxy of whoever runs the server. A flood of the network has to be kept off before it arrives.',
  'Where the machine lets a browser have no sandbox of its own, its pages are kept apart by processes only; ' +
    '`/api/health` says which it is.',
  'The embedded database survives a killed process, not a power cut. Postgres does.',
]

/** How to report a vulnerability. Each entry is one or two sentences. */
export const VULNERABILITY_REPORT: readonly string[] = [
  'Tell it privately: to whoever runs the server that you use, and for the software itself by a private ' +
    'vulnerability report in its repository. Do not open a public issue before it is mended.',
  'Say what you sent, what came back with its `X-Request-Id`, and what should have come. A file or a command that ' +
    'shows it helps most; send no file of anybody else.',
  'Try it on a server of your own: `npm start` makes one within minutes. Do not read, change or hold up what ' +
    'belongs to others.',
]
