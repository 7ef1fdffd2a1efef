import type { Config } from '../../config'
import { heading, list, prose, type DocsPage, type PageContext, type TableRow } from './page'

/** Returns the page about what is stored, for how long, and what is not. A test compares the times with the queries. */
export function describePrivacy({ config }: PageContext): DocsPage {
  return {
    slug: 'privacy',
    title: 'Privacy',
    lead: 'What Sheaf stores about you and your requests, for how long, and what it does not store.',
    blocks: [
      heading('What Sheaf stores'),
      { kind: 'table', columns: ['Data', 'How long'], rows: [...listAccountData(), ...listRequestData(config)] },
      heading('Payments'),
      prose(
        'This section applies only if this server sells credits. Stripe processes payments and stores payment data ' +
          'under its own terms.',
      ),
      { kind: 'table', columns: ['Data', 'How long'], rows: listPaymentData() },
      heading('Server log'),
      prose(
        'The server writes one line per API request to its log. The line contains the request ID, account ID, endpoint, ' +
          'status, warnings, sizes and times. Repeated refusals are an exception. For 402, an account causes at most ' +
          'one line a minute, and for 429 one a second. The line has no IP address, file name or content. The ' +
          'operator of this server decides how long to keep the log. A proxy in front of the server can have its own log.',
      ),
      heading('Cookies'),
      prose('The account area uses cookies for sign-in only. A session lasts up to 30 days. The API uses no cookies.'),
      prose(
        'The playground keeps your options in the storage of the browser tab, without passwords and files. Closing the ' +
          'tab or signing out removes them.',
      ),
      heading('What Sheaf does not store'),
      list(
        'Your documents and results. Sheaf keeps your documents in memory while their request runs.',
        'Results up to 1 MB are usually in memory too. Larger results are in a file while you download them. Only the ' +
          'server can read this file. Sheaf deletes the file when the connection ends, and at every start.',
        'Names of the files that you send, and text in documents. An error message can repeat a wrong value, and names of ' +
          'form fields and attachments.',
        'Your password and your API key in plain text.',
        'Card numbers. You enter them on pages of Stripe.',
        'The full IP address of an API request. The request log contains its network only.',
      ),
      prose(
        'The browser that renders web pages is an exception. It has a temporary folder on disk, and can write data ' +
          'of a web page and its PDF there. Sheaf deletes the folder when the browser ends. A PDF over 1 MB is in another ' +
          'file until it is finished.',
      ),
      heading('Delete your account'),
      list(
        'Delete your account in the settings of the account area.',
        'Sheaf then deletes your email address, name, password, API key, linked sign-ins and records of sign-ins.',
        'It also deletes your request log and usage.',
        'The ledger stays under the ID of the account, without your name and email address.',
        'Invoices with your billing details stay in an archive without a time limit. The law requires sellers to ' +
          'keep invoices.',
        'Purchases keep their amounts and the IDs of their payments, because refunds and disputes need them.',
        'If you got free credits this month, Sheaf keeps a keyed hash of your email address until the month ends.',
      ),
    ],
  }
}

function listAccountData(): TableRow[] {
  return [
    {
      cells: [
        'Email address, a hash of the password if you set one, and the time of sign-up',
        'Until you delete the account',
      ],
    },
    {
      cells: [
        'With GitHub or Google sign-in: your name, the URL of your profile image and your ID there',
        'Until you delete the account',
      ],
    },
    {
      cells: [
        'API key: a hash and the last four characters. The latest request with the key: time, endpoint, status, ' +
          'network and client program',
        'Until you delete the account, or until 90 days after you rotate the key',
      ],
    },
    {
      cells: ['Attempts to use a rotated key', '90 days after the rotation'],
    },
    {
      cells: [
        'Failed sign-ins and requests for emailed links: email address and network. Here, the network is the full ' +
          'IPv4 address, or the `/64` and `/48` of an IPv6 address',
        '1 day',
      ],
    },
    { cells: ['New accounts: the network in the same form, without the email address', '1 day'] },
    {
      cells: ['An email address that the operator invited', 'Until its account is created'],
    },
    {
      cells: [
        'Successful sign-ins: a keyed hash of email address and network',
        '90 days after the last one, or until you delete the account',
      ],
    },
    {
      cells: [
        'Links in emails: email address and a hash of the link',
        '1 day after they expire. Sheaf deletes used links at once',
      ],
    },
  ]
}

function listRequestData({ CALL_LOG_DAYS, LEDGER_DAYS }: Config): TableRow[] {
  return [
    {
      cells: [
        'Request log: request ID, time, endpoint, status, duration of each phase, sizes and credits. For errors, ' +
          'the error code, the reason, the name of the parameter and the message of the response. A message can repeat ' +
          'a wrong value or a name from your request, and names of form fields and attachments. It never repeats passwords',
        `${CALL_LOG_DAYS} days`,
      ],
    },
    {
      cells: [
        'Also in the request log: network of the client (`/24` of IPv4, `/48` of IPv6). Name and version of the ' +
          'client program. Last four characters of the key, and whether a browser sent the request',
        `${CALL_LOG_DAYS} days`,
      ],
    },
    { cells: ['Number of requests per day, endpoint and outcome, with their credits and durations', '400 days'] },
    {
      cells: [
        'Checklist of the account: when your key first sent an `Idempotency-Key`. Also when a request first ' +
          'succeeded after an error, and when you dismissed the checklist',
        'Until you delete the account',
      ],
    },
    { cells: ['`Idempotency-Key` and a keyed hash of the request', '24 hours'] },
    { cells: ['Wrong passwords sent to unlock-pdf: the ID of the account and the time, never the password', '1 day'] },
    {
      cells: [
        'Ledger: free credits, charges with their request IDs, refunds and purchases',
        LEDGER_DAYS === undefined ? 'Unlimited' : `${LEDGER_DAYS} days. One entry carries the older balance forward`,
      ],
    },
    {
      cells: [
        'The start page without an account: your IPv4 address, or the `/48` of an IPv6 address',
        'In memory only, to count the requests of the last hour',
      ],
    },
  ]
}

function listPaymentData(): TableRow[] {
  return [
    {
      cells: [
        'Purchases: amount, time, and the IDs of the payment at Stripe',
        'Unlimited, because refunds and disputes need them',
      ],
    },
    {
      cells: [
        'Billing details that you enter at Stripe: name, email address, postal address and tax IDs',
        'Until you delete the account. Archived invoices keep these details without a time limit',
      ],
    },
    {
      cells: [
        'Automatic top-up: amounts, billing details, a label of the card, and the ID of the card at Stripe',
        'Until you delete the account',
      ],
    },
    { cells: ['Events from Stripe: their IDs', '90 days'] },
  ]
}
