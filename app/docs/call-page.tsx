import { ERROR_STATUS } from '../../lib/errors'
import type { DocumentedCall } from '../../lib/docs/calls'
import { describeOptions } from '../../lib/docs/describe'
import { ERROR_ENTRIES } from '../../lib/docs/errors'
import { writeSamples } from '../../lib/docs/samples'
import { CodeTabs } from '../_ui/code-tabs'
import { OptionTable } from './option-table'
import { Prose } from './prose'

const FILES = {
  one: 'One PDF, as `file`; `files` with exactly one works too.',
  many: 'Two or more PDFs, as `files`, in the order sent.',
  html: 'One of `url`, `html` and `file`. A `file` is a page (.html, .htm, .xhtml, .svg, .txt) or a ZIP with an `index.html` and what belongs to it, at most 25 MiB. Forms send numbers, true and false as text, objects and arrays as JSON.',
  none: 'None.',
}

const SAMPLE_FILES = {
  one: 'Expects `report.pdf`, a document of five pages.',
  many: 'Expects `letter.pdf` and `terms.pdf`.',
  html: 'Needs no file.',
  none: 'Needs no file.',
}

/** The page of one call. */
export function CallPage({ call, origin }: { call: DocumentedCall; origin: string }) {
  const { title, summary, path, files, answers, schema, formSchema, optionsKey, errors, examples } = call
  const rows = describeOptions(schema)
  return (
    <>
      <h1>{title}</h1>
      <p className="docs-lead">{summary}</p>
      <pre className="docs-line">POST {path}</pre>
      <dl className="docs-facts">
        <div>
          <dt>Files</dt>
          <dd>
            <Prose text={FILES[files]} />
          </dd>
        </div>
        <div>
          <dt>Answer</dt>
          <dd>
            <code>{answers}</code>
          </dd>
        </div>
        <div>
          <dt>Price</dt>
          <dd>1 credit; none if it fails</dd>
        </div>
      </dl>

      <h2 id="sample">Sample</h2>
      <p>
        <Prose text={SAMPLE_FILES[files]} /> The key comes from the environment variable <code>SHEAF_API_KEY</code>.
      </p>
      <CodeTabs label={title} samples={writeSamples(call, origin)} />

      <h2 id="options">{optionsKey === undefined ? 'Fields' : 'Options'}</h2>
      <OptionTable rows={rows} />
      {formSchema && (
        <>
          <h3 id="form">As a form</h3>
          <p>Forms have no objects; they send these fields instead.</p>
          <OptionTable rows={describeOptions(formSchema)} />
        </>
      )}
      {rows.some(({ description }) => description.includes('selector')) && (
        <p>
          All forms that pages can be named in: <a href="/docs/selectors">page selectors</a>.
        </p>
      )}

      {examples.length > 1 && (
        <>
          <h2 id="examples">Examples</h2>
          <dl className="docs-examples">
            {examples.map(example => (
              <div key={example.title}>
                <dt>{example.title}</dt>
                <dd>
                  <pre className="docs-line">{JSON.stringify(example.options, null, optionsKey === undefined ? 2 : undefined)}</pre>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}

      <h2 id="errors">Errors</h2>
      <div className="scroll">
        <table className="docs-table">
          <thead>
            <tr>
              <th scope="col">Status and code</th>
              <th scope="col">Cause</th>
            </tr>
          </thead>
          <tbody>
            {errors.toSorted((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b]).map(code => (
              <tr key={code}>
                <th scope="row">
                  {ERROR_STATUS[code]}{' '}
                  <a href={`/docs/errors#${code}`}>
                    <code>{code}</code>
                  </a>
                </th>
                <td>
                  <Prose text={ERROR_ENTRIES[code].cause} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
