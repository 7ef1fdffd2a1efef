import type { OptionRow } from '../../lib/docs/describe'
import { Prose } from './prose'

/** The options of a call: name and type, then what they mean and what is allowed. */
export function OptionTable({ rows }: { rows: OptionRow[] }) {
  return (
    <div className="scroll">
      <table className="docs-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type, values and meaning</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, type, values, default: fallback, bounds, isRequired, description }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
                {isRequired && <span className="docs-note">required</span>}
              </th>
              <td>
                <span className="docs-type">
                  {type}
                  {bounds === undefined ? '' : `, ${bounds}`}
                  {fallback !== undefined && (
                    <>
                      , default <code>{fallback}</code>
                    </>
                  )}
                </span>
                {values.length > 0 && (
                  <span className="docs-type">
                    {values.length === 1 ? 'Only ' : 'One of '}
                    {values.map((value, index) => (
                      <span key={value}>
                        {index > 0 && ', '}
                        <code>{value}</code>
                      </span>
                    ))}
                  </span>
                )}
                <Prose text={description} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
