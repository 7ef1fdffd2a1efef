interface Entry {
  id: number
  kind: 'grant' | 'charge' | 'refund' | 'adjustment' | 'purchase'
  delta: number
  balance: number
  /** ISO 8601. */
  at: string
  /** As it is displayed. */
  shownAt: string
}

const KIND: Record<Entry['kind'], string> = {
  grant: 'Monthly grant',
  charge: 'Call',
  refund: 'Refund of a call',
  adjustment: 'Adjustment',
  purchase: 'Purchase',
}

/** The latest changes of the balance, newest first. */
export function CreditLog({ entries }: { entries: Entry[] }) {
  if (entries.length === 0) return <p className="soft">Nothing yet.</p>
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Time (UTC)</th>
            <th scope="col">What</th>
            <th scope="col" className="number">
              Credits
            </th>
            <th scope="col" className="number">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map(entry => (
            <tr key={entry.id}>
              <td>
                <time dateTime={entry.at}>{entry.shownAt}</time>
              </td>
              <td>{KIND[entry.kind]}</td>
              <td className="number">{entry.delta > 0 ? `+${entry.delta.toLocaleString('en')}` : `−${Math.abs(entry.delta).toLocaleString('en')}`}</td>
              <td className="number">{entry.balance.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
