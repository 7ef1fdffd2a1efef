import { MONTHLY_CREDITS } from '../../credits/ledger'
import { MOST_FAILURES } from '../../purchases/failed-top-up'
import { CREDITS_PER_CENT, LEAST_DOLLARS, MOST_DOLLARS } from '../../purchases/price'
import { heading, list, prose, type DocsPage } from './page'

/** Returns the page about prices and credits. */
export function describePricing(): DocsPage {
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
          { cells: ['A repeated request with the same [`Idempotency-Key`](/docs/idempotency)', 'Free'] },
          { cells: ['`GET /api/external/credits`', 'Free'] },
          { cells: [`The first ${count(MONTHLY_CREDITS)} credits of each month`, 'Free'] },
          { cells: [`${count(CREDITS_PER_CENT * 100)} more credits`, '$1'] },
        ],
      },
      heading('Free credits'),
      prose(
        `Each account gets ${count(MONTHLY_CREDITS)} credits at the start of each calendar month (UTC). Sheaf adds ` +
          "them to your balance. Credits don't expire.",
      ),
      prose('Some servers require a confirmed email address first. The account area then asks you to confirm it.'),
      heading('Failed requests'),
      list(
        'Sheaf charges the credit before the work starts. If the request fails, Sheaf refunds the credit.',
        'A request also counts as failed if you close the connection before the whole response is sent.',
        'The ledger in the [account area](/account) lists every charge and refund.',
      ),
      heading('Buy credits'),
      list(
        'Buy credits in the account area, if your server sells them. The page is `/account/credits`.',
        `You can buy any whole number of dollars from ${count(LEAST_DOLLARS)} to ${count(MOST_DOLLARS)}.`,
        'Your balance increases when Stripe confirms the payment. Every purchase has an invoice.',
      ),
      heading('Low balance and automatic top-up'),
      list(
        'Set a threshold in the account area. If your balance falls below it, Sheaf sends you an email. The ' +
          'server must be able to send email.',
        'Automatic top-up buys credits at the same threshold, with a card that you save at Stripe. You set a monthly ' +
          'limit. Sheaf sends an email and an invoice for each purchase.',
        `Automatic top-up turns off after ${MOST_FAILURES} failed payments in a row. It also turns off after a ` +
          'refund or a dispute.',
      ),
      heading('Refunds and disputes'),
      prose(
        'If a payment is refunded or disputed, Sheaf removes its credits from your balance. If you already spent ' +
          'those credits, your next purchase repays them first.',
      ),
      heading('Read your balance'),
      prose(
        'Responses have the headers `X-Credits-Charged` and `X-Credit-Balance`, errors included. They are ' +
          "missing if the API didn't check your key. This applies to 401, 404, 405, and 503 during a shutdown. Errors of " +
          "`GET /api/external/credits` don't have them either.",
      ),
      prose(
        '`GET /api/external/credits` returns the balance: `{"creditBalance": 42}`. You can send it 60 times a minute.',
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
