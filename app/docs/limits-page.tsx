import { getConfig } from '../../lib/config'
import { describeLimits } from '../../lib/docs/limits'

/** The limits of this server. */
export function LimitsPage() {
  return (
    <>
      <h1>Limits</h1>
      <p className="docs-lead">What a call may ask of this server. A call that goes beyond a limit costs nothing.</p>
      <div className="scroll">
        <table className="docs-table">
          <thead>
            <tr>
              <th scope="col">Limit</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {describeLimits(getConfig()).map(({ what, value, variable, error }) => (
              <tr key={variable}>
                <th scope="row">{what}</th>
                <td>
                  {value}
                  <span className="docs-note">
                    {error !== undefined && (
                      <>
                        Beyond it: <a href={`/docs/errors#${error}`}>{error}</a>.{' '}
                      </>
                    )}
                    Set by <code>{variable}</code>.
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
