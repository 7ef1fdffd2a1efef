import type { Purchase } from '../../../lib/purchases/purchases'
import { count } from '../../_server/amounts'
import { moment } from '../../_server/dates'
import records from '../../_ui/elements/records.module.css'

/** Paid purchases, newest first, each with its invoice. */
export function PurchaseTable({ purchases }: { purchases: Purchase[] }) {
  return (
    <table className={records.table}>
      <thead>
        <tr>
          <th scope="col">Time (UTC)</th>
          <th scope="col" className={records.number}>
            Credits
          </th>
          <th scope="col" className={records.number}>
            Paid
          </th>
          <th scope="col">Invoice</th>
        </tr>
      </thead>
      <tbody>
        {purchases.map(({ id, credits, amountCents, returnedCents, paidAt, receiptNumber }) => (
          <tr key={id}>
            <td data-label="Time (UTC)">
              {paidAt !== null && <time dateTime={paidAt.toISOString()}>{moment(paidAt)}</time>}
            </td>
            <td data-label="Credits" className={records.number}>
              {count(credits)}
            </td>
            <td data-label="Paid" className={records.number}>
              {dollars(amountCents)}
              {returnedCents > 0 && `, ${dollars(returnedCents)} returned`}
            </td>
            <td data-label="Invoice">
              <a href={`/api/account/purchases/invoice.pdf?purchase=${id}`}>Invoice {receiptNumber}</a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function dollars(cents: number): string {
  return (cents / 100).toLocaleString('en', { style: 'currency', currency: 'USD' })
}
