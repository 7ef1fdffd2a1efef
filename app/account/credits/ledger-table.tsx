import type { CreditEntry } from '../../../lib/credits/history'
import { count } from '../../_server/amounts'
import { callTitle } from '../../_server/call-titles'
import { moment } from '../../_server/dates'
import records from '../../_ui/records.module.css'

/** Changes of the balance, newest first, each with what it was for. */
export function LedgerTable({ entries }: { entries: CreditEntry[] }) {
  if (entries.length === 0) return <p className={records.soft}>Nothing yet.</p>
  return (
    <table className={records.table}>
      <thead>
        <tr>
          <th scope="col">Time (UTC)</th>
          <th scope="col">What for</th>
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
            <td data-label="What for">
              <span>
                {writeReason(entry)}
                {entry.callId !== null && (
                  <>
                    <br />
                    <a className={records.id} href={`/account/calls?request=${entry.callId}`}>
                      {entry.callId}
                    </a>
                  </>
                )}
              </span>
            </td>
            <td data-label="Credits" className={records.number}>
              {entry.delta < 0 ? `−${count(-entry.delta)}` : `+${count(entry.delta)}`}
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

function writeReason({ kind, operation, via, month, note }: CreditEntry): string {
  const call = operation === null ? '' : `: ${callTitle(operation)}${via === 'playground' ? ', from the playground' : ''}`
  if (kind === 'grant') return `Monthly grant${month === null ? '' : ` of ${month}`}`
  if (kind === 'charge') return `Call${call}`
  if (kind === 'refund') return `Refund of a call that failed${call}`
  if (kind === 'purchase') return 'Purchase'
  if (kind === 'carry_forward') return note ?? 'Carried forward'
  return `Adjustment${note === null ? '' : `: ${note}`}`
}
