/** A sentence that promises something, and the test that fails if the promise is broken. */
export type Claim = readonly [sentence: string, file: string, test: string]

const chaos = (file: string, scenario = file): [string, string] => [
  `tests/hostile/chaos/scenarios/${file}.ts`,
  `name: '${scenario}'`,
]
const LEDGER = 'tests/lib/credits/ledger.test.ts'
const KEYS = 'tests/lib/accounts/key/keys.test.ts'
const ATTEMPTS = 'tests/lib/accounts/sign-in/attempt-limit.test.ts'
const PROOF = 'tests/lib/accounts/sign-in/first-address-proof.test.ts'
const POLICY = 'tests/engines/webpage/egress/egress-policy.test.ts'
const BROWSERS = 'tests/engines/webpage/browser/browser-pool.test.ts'
const BODIES = 'tests/lib/http/limits/body-memory.test.ts'
const SIGN_UPS = 'tests/lib/accounts/sign-in/sign-up.test.ts'
const OUTPUTS = 'tests/lib/http/limits/output-memory.test.ts'
const QUEUE = 'tests/lib/http/limits/request-queue.test.ts'
const CALLS = 'tests/lib/http/serve.test.ts'
const POOL = 'tests/engines/pool/pool.test.ts'
const LOG = ['tests/contract/transport.test.ts', 'has one line per request, without keys, names and contents'] as const

/** Every sentence of the promises on /docs/security. */
export const PROMISES: readonly Claim[] = [
  ['Sheaf rejects or cuts off malformed, oversized, endless and slow requests.', ...chaos('raw')],
  ['They cost nothing.', ...chaos('raw')],
  ['Meanwhile, other accounts get their responses.', ...chaos('slow')],
  [
    'Sheaf counts the bytes of a body while it arrives.',
    CALLS,
    'arrives for a body without announced length once the body is too long',
  ],
  [
    'Separate processes open uploaded files.',
    POOL,
    'is processed by the configured number of processes, plus one spare',
  ],
  [
    'These processes receive no secrets and have limits for time and memory.',
    POOL,
    "gets nothing of the service's environment, and a working folder that can't be deleted",
  ],
  ['A 200 response contains a file that other programs can open.', ...chaos('files', 'files-hostile')],
  ['All other responses are errors, and errors are free.', ...chaos('files', 'files-hostile')],
  ['Sheaf opens no URL or path from a file and runs none of its scripts.', ...chaos('files', 'files-hostile')],
  ['A web page reaches public addresses only.', ...chaos('web-addresses')],
  [
    "It can't reach the server's own addresses.",
    'tests/engines/webpage/egress/way-out.test.ts',
    'excludes public IP addresses of this machine, with the same message: %s',
  ],
  [
    'A proxy resolves names and connects only to addresses that it checked.',
    POLICY,
    'allows a name if all its IP addresses are public, and only these addresses',
  ],
  ['This includes redirects, frames, workers, sockets and changing DNS records.', ...chaos('web-addresses')],
  ["A page can't read the server's files.", ...chaos('web-addresses')],
  [
    'A URL with a private host returns 400.',
    'tests/contract/webpage.test.ts',
    'refuses invalid fields before any charge, all at once',
  ],
  [
    'While a page loads, the error for blocked addresses is the same as for unreachable addresses.',
    'tests/contract/webpage.test.ts',
    'fails with the same message whatever a URL leads to, and refunds',
  ],
  [
    'Files by URL follow the same rules.',
    'tests/engines/webpage/egress/fetch-file.test.ts',
    'is never fetched from %s',
  ],
  [
    'While a web page renders, no other page uses its browser.',
    BROWSERS,
    'prints one page at a time per browser, with as many browsers as allowed pages',
  ],
  ['Memory, time and requests have limits.', ...chaos('web-pages')],
  ['The memory limit covers all processes of the browser together.', ...chaos('page-memory')],
  [
    'Afterward, Sheaf closes the browser context of the page.',
    BROWSERS,
    'keeps no context and no renderer of finished pages',
  ],
  [
    'This deletes its cookies and other data.',
    'tests/engines/webpage/web-printer.test.ts',
    'does not outlive its request',
  ],
  [
    'A single database statement takes the credit before Sheaf processes the files.',
    LEDGER,
    'spends the last credit once if 50 requests want it',
  ],
  [
    'Sheaf refunds the credit if the request returns no file, even if a process is killed in between.',
    ...chaos('ledger-server'),
  ],
  [
    'If the process that edits your files crashes, Sheaf tries once more.',
    POOL,
    'is retried once if its process ends, with its files, in a process that had no other job',
  ],
  [
    'With an `Idempotency-Key`, up to 3 repeats of a successful request within 24 hours are free.',
    LEDGER,
    'allows three delivered replays, and any number of undelivered replays',
  ],
  ['The server sets prices.', ...chaos('purchases')],
  ['Sheaf checks the signature and amount of each Stripe event.', ...chaos('purchases')],
  ['It applies each event once, whatever the order of the events.', ...chaos('purchases')],
  ['A refund removes the credits of its payment.', ...chaos('purchases')],
  ['Automatic top-up pays once for a low balance.', ...chaos('purchases-top-up')],
  ['A refund or a dispute turns it off.', 'tests/lib/purchases/top-up.test.ts', "each(['refund', 'dispute']"],
  ['Sheaf refunds payments for deleted accounts.', ...chaos('purchases-deleted')],
  [
    'It compares the ledger with Stripe every night.',
    'tests/lib/purchases/reconcile.test.ts',
    'runs on one instance a night, and on another if that fails',
  ],
  ['No card data reaches the server.', ...chaos('purchases')],
  [
    'A network can create 5 accounts in 24 hours.',
    SIGN_UPS,
    'is 5 in a day for each IPv4 address and each /64 of IPv6, over all instances',
  ],
  [
    'A network is an IPv4 address or an IPv6 `/64`.',
    SIGN_UPS,
    'is 5 in a day for each IPv4 address and each /64 of IPv6, over all instances',
  ],
  [
    'A `/24` of IPv4 and a `/48` of IPv6 get 10 times as many.',
    SIGN_UPS,
    'is 10 times as many for the site of a network',
  ],
  [
    'A mailbox gets one account, because Sheaf ignores `+tag` in email addresses, and dots in addresses of Gmail.',
    SIGN_UPS,
    'opens no second account for a mailbox, not even many at once',
  ],
  [
    'Accounts that never paid have 1 minute of failed work in 10 minutes.',
    'tests/lib/http/limits/failed-work-budget.test.ts',
    'is smaller, and one for all of them in a network',
  ],
  [
    'In one IPv4 address or IPv6 `/48`, they share that minute and half of the slots for web pages.',
    QUEUE,
    'gives one network half of the browser lane, however many accounts it has',
  ],
  [
    'Accounts that paid come first in the queue, and other accounts get three quarters of the slots, rounded up.',
    QUEUE,
    'starts accounts that paid first, but every fourth request is of another account',
  ],
  [
    'Operators can require an invitation, and can limit the free credits of a day.',
    SIGN_UPS,
    'opens one account, for any spelling of the address',
  ],
  ['These are default settings.', 'tests/lib/docs/pages/facts.test.ts', 'states the default shares of an account'],
  [
    'On each instance, an account can use half of the upload memory.',
    BODIES,
    'gives an account its share, by announced length, and then refuses with rate_limited',
  ],
  [
    'Its unread responses can use half of the disk space for responses.',
    OUTPUTS,
    'are refused and released beyond the share of the account, even the first one',
  ],
  [
    'Downloads of other accounts leave room for responses up to 1 MB.',
    OUTPUTS,
    'are refused if the disk space of all accounts is used up, unless they are small',
  ],
  [
    'An account can have 64 waiting requests.',
    'tests/lib/docs/pages/facts.test.ts',
    'states the default shares of an account',
  ],
  ['In 10 minutes, its failed requests can use up to 10 minutes of processing.', ...chaos('fair-failures')],
  ['These are default settings.', 'tests/lib/docs/pages/facts.test.ts', 'states the default shares of an account'],
  ['Small uploads have separate memory.', BODIES, 'admits small bodies whatever large bodies use, also chunked bodies'],
  [
    'One engine process and one browser are reserved for accounts that have nothing running.',
    QUEUE,
    'has one more slot in each lane for accounts without a running request',
  ],
  [
    'Sheaf cuts off downloads, and uploads of API requests, slower than 64 KB/s over 20 s.',
    'tests/lib/http/connection/rate-watch.test.ts',
    'ends a slow transfer after the first window',
  ],
  ['Requests share no file names, content or browser sessions.', ...chaos('neighbor')],
  [
    'Many accounts that paid can still make others wait.',
    QUEUE,
    'does not return rate_limited for slots that others use',
  ],
  [
    'Sheaf shows a key once and stores its hash.',
    KEYS,
    'are stored as a hash only, and deleted 90 days after their rotation',
  ],
  ['After that, no log, page, URL or error contains the key.', ...chaos('account-secrets')],
  ['A rotated key stops working when you receive the new one.', ...chaos('rotation')],
  [
    'Sheaf reads keys only from the header `x-api-key`.',
    'tests/contract/refusals.test.ts',
    'accepts no key in the URL',
  ],
  ['The time of a rejection reveals nothing about valid keys.', ...chaos('account-secrets')],
  ['Sign-in allows 10 failed attempts per email and network every 15 minutes.', ...chaos('account-sign-in')],
  [
    'A network is an IPv4 address or an IPv6 `/64`.',
    ATTEMPTS,
    'count a /64 of IPv6 as one network, on two instances at once',
  ],
  ['Larger groups of networks have limits per email, too.', ATTEMPTS, 'stop a /48 that tries many emails'],
  [
    'A `/48` gets 30 attempts, and all networks together get 50.',
    ATTEMPTS,
    'stop guesses for one email from many networks for 15 minutes',
  ],
  [
    'The limit of 50 does not apply to networks from which you signed in before.',
    ATTEMPTS,
    'admit the owner from a network of an earlier sign-in, with the limit of that network',
  ],
  ['Responses and their times do not show whether an email has an account.', ...chaos('account-sign-in')],
  [
    "If an account's email address is unconfirmed, nobody can add sign-in with GitHub or Google to the account.",
    ...chaos('account-proof'),
  ],
  [
    "If you confirm your address in a browser that isn't signed in, Sheaf removes the account's earlier setup.",
    ...chaos('account-proof'),
  ],
  [
    'That includes the password, sessions, the key and automatic top-up.',
    PROOF,
    'is held if it would end something, lists exactly that, and changes nothing',
  ],
  [
    'First, a page lists what Sheaf will remove and asks you.',
    'tests/e2e/first-proof.spec.ts',
    'the page lists what will end, and ends it when the owner continues',
  ],
  ['In a browser that is signed in to the account, Sheaf removes nothing.', ...chaos('account-proof')],
  [
    'Only pages of the account area can perform its actions.',
    'tests/contract/site.test.ts',
    'makes no page of this site, although its name resolves to this server',
  ],
  ['Each sign-in starts a new session.', ...chaos('account-session')],
  ['Requests that read data change nothing.', ...chaos('account-session')],
  [
    'Pages run only their own scripts and cannot be framed.',
    'tests/e2e/intruder.spec.ts',
    'pages allow only their own scripts, and no framing',
  ],
]

/** Every sentence of "In scope" of SECURITY.md. */
export const IN_SCOPE: readonly Claim[] = [
  ['Sheaf rejects malformed, oversized or slow requests.', ...chaos('raw')],
  ['They cost nothing.', ...chaos('raw')],
  ['Meanwhile, other accounts get their responses.', ...chaos('slow')],
  [
    'Separate processes with limits for time and memory open uploaded files.',
    POOL,
    'is stopped if it uses too much memory (%s)',
  ],
  [
    'These processes receive no secrets.',
    POOL,
    "gets nothing of the service's environment, and a working folder that can't be deleted",
  ],
  ['Web pages reach public IP addresses only.', ...chaos('web-addresses')],
  ["They can't reach the server's own addresses.", ...chaos('web-addresses')],
  ['A web page has its own browser, with limits for memory, time and requests.', ...chaos('page-memory')],
  ['A failed request costs nothing.', ...chaos('ledger-server')],
  ['Repeats with the same `Idempotency-Key` cost one credit in total.', ...chaos('idempotency')],
  ['Credits and payments match, even if Stripe sends events repeatedly or in another order.', ...chaos('purchases')],
  ['Each account has limits for memory, waiting and running requests, and failed work.', ...chaos('fair-queue')],
  ['Other accounts get their responses while one account is at its limits.', ...chaos('fair-queue')],
  [
    'Sheaf stores a hash of each API key, and shows the key once.',
    KEYS,
    'are stored as a hash only, and deleted 90 days',
  ],
  ['No log, URL or error contains the key.', ...chaos('account-secrets')],
  [
    "Sign-in limits the number of guessed passwords, and doesn't reveal which email addresses have an account.",
    ...chaos('account-sign-in'),
  ],
  [
    'If a stranger opened an account with your email address, the stranger loses access when you confirm the address.',
    ...chaos('account-proof'),
  ],
  ["Other sites can't act in the account area, and pages run only their own scripts.", ...chaos('account-session')],
  ['Redaction removes what you select.', 'tests/redaction-traps/content-traps.test.ts', 'expectTraps(CONTENT_GROUPS)'],
  [
    'The response says whether Sheaf could verify that.',
    'tests/engines/features/redaction/redact-document.test.ts',
    "is not verified if an attached file has a match or can't be searched",
  ],
]

/** Sentences of other places. Each place may have more sentences. */
export const ELSEWHERE: Readonly<Record<string, readonly Claim[]>> = {
  '/docs/security': [
    [
      'A separate process with limits for time and memory opens the files of a request.',
      POOL,
      'is stopped if it uses too much memory (%s)',
    ],
    [
      'An independent set of files found about 20 other ways that leak',
      'tests/lib/docs/start-page/proofs.test.ts',
      'says whose files it counts, and that others leak',
    ],
  ],
  '/docs/privacy': [
    ['The server writes one line per API request to its log', ...LOG],
    ['The line has no IP address, file name or content.', ...LOG],
    [
      'For 402, an account causes at most one line a minute, and for 429 one a second.',
      CALLS,
      "doesn't include requests without credits, which are logged once a minute",
    ],
    ['A session lasts up to 30 days.', 'tests/lib/docs/pages/facts.test.ts', 'and of the session'],
    ['Your documents and results.', ...chaos('client-gone')],
    ['Names of the files that you send, and text in documents.', ...LOG],
    ['Your password and your API key in plain text.', ...chaos('account-secrets')],
    ['Card numbers. You enter them on pages of Stripe.', ...chaos('purchases')],
    ['The request log contains its network only.', 'tests/lib/requests/network.test.ts', 'has at most 64 characters'],
    [
      'the name of the parameter',
      'tests/contract/ends.test.ts',
      'has logged each of the 200 requests, and no text of a client',
    ],
    [
      'Sheaf then deletes your email address, name, password, API key, linked sign-ins and records of sign-ins.',
      'tests/lib/accounts/settings/delete-account.test.ts',
      'leaves nothing behind that identifies its owner, and its ledger equals its balance',
    ],
    [
      'Sheaf keeps a keyed hash of your email address until the month ends.',
      'tests/lib/accounts/settings/delete-account.test.ts',
      'does not record its email if its month was not granted, and the record ends with the month',
    ],
  ],
  '/docs/limits': [
    [
      '| Memory for uploads over 1 MB, all accounts together |',
      BODIES,
      'refuses with service_unavailable if other accounts use the memory',
    ],
    ['that one account can use |', BODIES, 'gives an account its share, by announced length, and then refuses'],
    [
      '| Processing time of failed requests of one account in 10 minutes |',
      'tests/lib/http/limits/failed-work-budget.test.ts',
      'refuses an account that has used it up until the oldest work is 10 minutes old',
    ],
    ['| Minimum speed of an upload, averaged over any 20 s.', ...chaos('fair-uploads')],
    ['| Minimum speed of a download, averaged over any 20 s.', ...chaos('fair-readers')],
    [
      '| Waiting requests of one account |',
      'tests/contract/limits.test.ts',
      'are refused at once if too many already wait',
    ],
    [
      '| Memory of all processes of a web page |',
      'tests/engines/webpage/browser/page-memory.test.ts',
      'is the sum of all its processes',
    ],
    ['| Memory of the process for a request |', POOL, 'is stopped if it uses too much memory (%s)'],
  ],
  'README.md': [
    ['A successful request costs one credit.', 'tests/contract/tools.test.ts', 'a complete file for 1 credit'],
    ['A failed request costs nothing.', ...chaos('ledger-server')],
    ['Sheaf keeps no documents after the response.', ...chaos('client-gone')],
    ['tested with 20, 22, 24 and 26', 'tests/run/node-versions.mjs', 'SHEAF_NODE_VERSIONS'],
    [
      'Documents are processed in child processes with limits for time and memory.',
      POOL,
      'is stopped if it uses too much memory (%s)',
    ],
  ],
  'SECURITY.md': [
    [
      "If the machine doesn't allow the browser sandbox, only separate processes isolate web pages.",
      'tests/lib/status.test.ts',
      'is OK without a sandbox, because no request fails, but the sandbox is not',
    ],
    ['No log and no database contains them.', ...LOG],
  ],
  'deploy/kubernetes/sheaf.yaml': [
    [
      'ENGINES + 1 processes of ENGINE_RSS_MB',
      'tests/deploy/kubernetes.test.ts',
      'set variables that the service reads, to valid values',
    ],
  ],
  'app/page.tsx': [
    ['Sheaf keeps no copy of the input or the result.', ...chaos('client-gone')],
    ['Sheaf keeps no copy of your files and results after the request.', ...chaos('client-gone')],
    ['for a failed request. Sheaf refunds the credit.', ...chaos('ledger-server')],
    [
      'You can send {TRIALS_PER_HOUR} requests per hour.',
      'tests/lib/trial/trial-limits.test.ts',
      'allows five requests in an hour for each network',
    ],
    [
      'The name and the IBAN are no longer in the file. A second PDF engine verifies this before you get it.',
      'tests/e2e/start-page.spec.ts',
      'the shown request yields the shown response and the shown file',
    ],
  ],
}
