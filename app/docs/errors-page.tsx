import { ERROR_STATUS } from '../../lib/errors'
import { describeOptions } from '../../lib/docs/describe'
import { ERROR_ENTRIES, errorBodySchema, listErrorCodes, writeExampleBody } from '../../lib/docs/errors'
import { OptionTable } from './option-table'
import { Prose } from './prose'

/** Every error code with its cause, what to do, and a body as it is answered. */
export function ErrorsPage() {
  return (
    <>
      <h1>Errors</h1>
      <p className="docs-lead">A call that fails is answered with a status, a JSON body, and the credit headers that say that it cost nothing.</p>
      <h2 id="body">Error body</h2>
      <OptionTable rows={describeOptions(errorBodySchema).map(row => (row.name === 'error' ? { ...row, values: [] } : row))} />
      {listErrorCodes().map(code => (
        <section key={code} className="docs-entry" aria-labelledby={code}>
          <h2 id={code}>
            {ERROR_STATUS[code]} <code>{code}</code>
          </h2>
          <p>
            <Prose text={ERROR_ENTRIES[code].cause} />
          </p>
          <p>
            <strong>What to do.</strong> <Prose text={ERROR_ENTRIES[code].fix} />
          </p>
          <pre className="docs-line">{JSON.stringify(writeExampleBody(code), null, 2)}</pre>
        </section>
      ))}
    </>
  )
}
