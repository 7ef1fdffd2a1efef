import { WARNINGS, type Warning } from '../../engines/types'
import { WARNING_ADVICE } from '../../lib/docs/warnings'

/** Every warning with what to do about it. */
export function WarningsPage() {
  return (
    <>
      <h1>Warnings</h1>
      <p className="docs-lead">
        A file that is answered may lack something, or something was adjusted. The header <code>X-Warnings</code> then names it, several codes separated by commas.
      </p>
      <p>Codes are never renamed. Those that no call of this version gives are listed as well, so that a client can be written for all of them.</p>
      <div className="scroll">
        <table className="docs-table">
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col">Meaning and what to do</th>
            </tr>
          </thead>
          <tbody>
            {(Object.keys(WARNINGS) as Warning[]).map(warning => (
              <tr key={warning} id={warning}>
                <th scope="row">
                  <code>{warning}</code>
                </th>
                <td>
                  {WARNINGS[warning]} {WARNING_ADVICE[warning]}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
