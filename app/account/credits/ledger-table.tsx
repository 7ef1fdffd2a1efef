import type { CreditEntry } from '../../../lib/credits/history'
import { count } from '../../_server/amounts'
import { operationTitle } from '../../_server/operation-titles'
import { moment } from '../../_server/dates'
import records from '../../_ui/elements/records.module.css'

/** Changes of the balance, newest first, each with its reason. */
export function LedgerTable({ entries }: { entries: CreditEntry[] }) {
  if (entries.length === 0) return <p className={records.soft}>No changes yet.</p>
  return (
    <table className={records.table}>
      <thead>
        <tr>
          <th scope="col">Time (UTC)</th>
          <th scope="col">Reason</th>
          <th scope="col" className={records.number}>
            Credits
          </th>
          <th scope="col" className={records.number}>
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map(entry => (
          <tr key={entry.id}>
            <td data-label="Time (UTC)">
              <time dateTime={entry.createdAt.toISOString()}>{moment(entry.createdAt)}</time>
            </td>
            <td data-label="Reason">
              <span>
                {writeReason(entry)}
                {entry.isRefunded && <span className={records.soft}> (refunded)</span>}
                {entry.owed !== 0 && <span className={records.soft}> {writeOwed(entry)}</span>}
                {entry.requestId !== null && (
                  <>
                    <br />
                    <a className={records.id} href={`/account/calls?request=${entry.requestId}`}>
                      {entry.requestId}
                    </a>
                  </>
                )}
              </span>
            </td>
            <td data-label="Credits" className={records.number}>
              {writeDelta(entry.delta)}
            </td>
            <td data-label="Balance" className={records.number}>
              {count(entry.balance)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function writeDelta(delta: number): string {
  if (delta === 0) return '0'
  return delta > 0 ? `+${count(delta)}` : `−${count(Math.abs(delta))}`
}

/** Shows the credits that became debt, or the part of a payment that repaid debt. */
function writeOwed({ owed }: CreditEntry): string {
  return owed > 0 ? `(${count(owed)} more are owed)` : `(${count(-owed)} more repaid owed credits)`
}

const PAYMENTS: Partial<Record<CreditEntry['kind'], string>> = {
  purchase: 'Purchase',
  purchase_refund: 'Refund of a purchase',
  dispute: 'Payment disputed by the cardholder’s bank',
  dispute_reversal: 'Dispute reversed by the bank',
}

function writeReason({ kind, operation, via, month, note }: CreditEntry): string {
  const call =
    operation === null ? '' : `: ${operationTitle(operation)}${via === 'playground' ? ', from the playground' : ''}`
  if (kind === 'grant') return `Monthly grant${month === null ? '' : ` of ${month}`}`
  if (kind === 'charge') return `Request${call}`
  if (kind === 'refund') return `Refund of a failed request${call}`
  if (kind === 'carry_forward') return note ?? 'Carried forward'
  const payment = PAYMENTS[kind]
  if (payment !== undefined) return payment
  return `Adjustment${note === null ? '' : `: ${note}`}`
}
