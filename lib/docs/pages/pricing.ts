import { MONTHLY_CREDITS, MOST_REPLAYS } from '../../credits/ledger'
import { MOST_FAILURES } from '../../purchases/failed-top-up'
import { CREDITS_PER_CENT, LEAST_DOLLARS, MOST_DOLLARS } from '../../purchases/price'
import { heading, list, prose, type DocsPage, type PageContext } from './page'

/** Returns the page about prices and credits. */
export function describePricing({ config }: PageContext): DocsPage {
  return {
    slug: 'pricing',
    title: 'Pricing',
    lead: 'A successful request costs 1 credit. A failed request costs nothing.',
    blocks: [
      {
        kind: 'table',
        columns: ['What', 'Price'],
        rows: [
          { cells: ['A successful request to any endpoint', '1 credit'] },
          { cells: ['A failed request', 'Free'] },
          {
            cells: [
              `Up to ${MOST_REPLAYS} repeats of a successful request within 24 hours, with the same ` +
                '[`Idempotency-Key`](/docs/idempotency)',
              'Free',
            ],
          },
          { cells: ['`GET /api/external/credits`', 'Free'] },
          { cells: [`${count(MONTHLY_CREDITS)} credits that Sheaf adds each month`, 'Free'] },
          { cells: [`${count(CREDITS_PER_CENT * 100)} more credits`, '$1'] },
        ],
      },
      heading('Free credits'),
      prose(
        `A new account gets the ${count(MONTHLY_CREDITS)} credits of the current calendar month at once. At the ` +
          `start of each later month (UTC), Sheaf adds ${count(MONTHLY_CREDITS)} credits to your balance. Credits ` +
          "don't expire.",
      ),
      // As in lib/credits/ledger.ts.
      ...(config.DATABASE_URL === undefined
        ? []
        : [
            prose(
              'On this server, you get free credits only after you confirm your email address. The account area asks ' +
                'you to confirm it.',
            ),
          ]),
      ...(config.GRANT_CAP_PER_DAY === undefined
        ? []
        : [
            prose(
              `This server adds at most ${count(config.GRANT_CAP_PER_DAY)} free credits a day (UTC), for all accounts ` +
                'together. Beyond that, you get your free credits on a later day of the month.',
            ),
          ]),
      heading('Failed requests'),
      list(
        'Sheaf charges the credit before it processes your files. If the request fails, Sheaf refunds the credit.',
        'A request also counts as failed if you close the connection before the whole response is sent.',
        'The ledger in the [account area](/account) lists every charge and refund.',
      ),
      heading('Buy credits'),
      list(
        'Buy credits in the account area under [Credits](/account/credits), if this server sells them.',
        `A purchase is any whole number of dollars from $${count(LEAST_DOLLARS)} to $${count(MOST_DOLLARS)}.`,
        'Your balance increases when Stripe confirms the payment. Every purchase has an invoice.',
      ),
      heading('Low balance and automatic top-up'),
      list(
        'Set a threshold in the account area. If your balance falls below the threshold, Sheaf sends you an email. ' +
          'You get the email only if this server can send email.',
        'Automatic top-up uses the same threshold. It buys credits for an amount that you set, and charges a card ' +
          'that you save at Stripe. You also set a monthly limit. Sheaf sends an email and an invoice for each ' +
          'purchase.',
        `Automatic top-up turns off after ${MOST_FAILURES} failed payments in a row. It also turns off after a ` +
          'refund or a dispute.',
      ),
      heading('Refunds and disputes'),
      prose(
        'If a payment is refunded or disputed, Sheaf removes the credits of that payment from your balance. If you ' +
          'already spent those credits, your next purchase repays them first. Your balance never falls below 0.',
      ),
      heading('Read your balance'),
      prose(
        'Responses have the headers `X-Credits-Charged` and `X-Credit-Balance`, also if the request ' +
          'failed. Both headers need an accepted key. So responses with 401, 404 and 405 never have them, and responses ' +
          'with 503 sometimes. Errors of `GET /api/external/credits` never have them either.',
      ),
      prose(
        '`GET /api/external/credits` returns the balance: `{"creditBalance": 42}`. You can ' +
          'send it 60 times a minute. After that, the API returns 429 [`rate_limited`](/docs/errors#rate_limited).',
      ),
      heading('No credits left'),
      prose(
        'The API returns 402 [`insufficient_credits`](/docs/errors#insufficient_credits). The body contains ' +
          '`creditsRequired` and `creditBalance`.',
      ),
    ],
  }
}

const count = (value: number): string => value.toLocaleString('en')
