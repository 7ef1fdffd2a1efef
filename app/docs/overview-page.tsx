import { MONTHLY_CREDITS } from '../../lib/credits/ledger'
import { ANSWER_HEADERS } from '../../lib/docs/answer-headers'
import { CodeTabs } from '../_ui/code-tabs'
import { firstCallSamples } from '../_ui/first-call'
import { SampleFiles } from '../_ui/sample-files'
import { Prose } from './prose'

/** What holds for every call: address, key, credits, bodies, answers. */
export function OverviewPage({ origin }: { origin: string }) {
  return (
    <>
      <h1>Documentation</h1>
      <p className="docs-lead">Every call is one POST. Its answer is the finished file, or a JSON body that says what is wrong.</p>

      <h2 id="first-call">A first call</h2>
      <p>
        Create an API key in your <a href="/account">account</a>, keep it in the environment variable <code>SHEAF_API_KEY</code>, and save <SampleFiles />{' '}
        beside the script.
      </p>
      <CodeTabs label="Merge two files" samples={firstCallSamples(origin)} />

      <h2 id="address">Base address</h2>
      <pre className="docs-line">{origin}/api/external/</pre>
      <p>
        The same calls for programs: the <a href="/api/openapi.json">OpenAPI document</a>.
      </p>

      <h2 id="key">API key</h2>
      <p>
        Send it in the header <code>x-api-key</code> with every call. It is shown once, when it is created. An account has one key; rotating it in the account
        area gives a new one that works at once, and the old one stops at once.
      </p>
      <p>
        Keys are for servers. There are no CORS headers: a call from a web page would show its key to everybody who opens that page.
      </p>

      <h2 id="credits">Credits</h2>
      <ul>
        <li>A call that works costs 1 credit, whatever it does.</li>
        <li>A call that fails costs none. What was charged before it failed is given back.</li>
        <li>Every account gets {MONTHLY_CREDITS} credits in each calendar month (UTC), added to what it has.</li>
        <li>1,000 credits are $1.</li>
      </ul>

      <h2 id="repeat">Repeating a call safely</h2>
      <p>
        Send the header <code>Idempotency-Key</code> with up to 255 characters of your own. If the connection breaks and you don&rsquo;t know whether the call worked, send
        the same request with the same key again within 24 hours: if the first one had worked, the work is done again and costs nothing, and the answer has the
        header <code>Idempotent-Replayed: true</code>. Documents are not kept for this, only a hash of the request.
      </p>

      <h2 id="requests">Requests</h2>
      <p>
        As a form (<code>multipart/form-data</code>): one part <code>file</code>, or a part <code>files</code> for each of several, in their order; the options as
        JSON in a part <code>options</code>. Forms are the better choice for large files.
      </p>
      <p>
        As JSON (<code>application/json</code>): <code>file</code>, or <code>files</code> as an array; a file is an object with <code>name</code> and{' '}
        <code>dataBase64</code>.
      </p>
      <pre className="docs-line">{`{
  "file": { "name": "report.pdf", "dataBase64": "JVBERi0xLjcK…" },
  "options": { "angle": 90 }
}`}</pre>
      <p>
        PDFs have to open without a password; unlock encrypted ones first. Unknown options are refused by name, unknown fields beside them are ignored with a{' '}
        <a href="/docs/warnings">warning</a>.
      </p>

      <h2 id="answers">Headers of answers</h2>
      <div className="scroll">
        <table className="docs-table">
          <thead>
            <tr>
              <th scope="col">Header</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {ANSWER_HEADERS.map(({ name, meaning, on, when, example }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>
                  <Prose text={meaning} />
                  <span className="docs-note">
                    {WHERE[on]}
                    {when === undefined ? '' : `, when ${when}`}. <code>{example}</code>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>

      <h2 id="names">Names of files</h2>
      <p>
        An answer is named after what came in: <code>report.pdf</code> becomes <code>report-rotated.pdf</code>. The option <code>outputName</code> of a tool chooses another
        name.
      </p>
    </>
  )
}

const WHERE = { all: 'Every answer', file: 'Answers with a file', error: 'Answers with an error' }
