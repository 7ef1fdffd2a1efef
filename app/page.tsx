import Link from 'next/link'
import { currentAccount } from '../lib/accounts/session'
import { listCalls } from '../lib/docs/calls'
import { CodeTabs } from './_ui/code-tabs'
import { firstCallSamples } from './_ui/first-call'
import { SiteFrame } from './_ui/site-frame'
import { currentOrigin } from './_server/current-origin'

export const dynamic = 'force-dynamic'

export default async function LandingPage() {
  const [account, origin] = await Promise.all([currentAccount(), currentOrigin()])
  const calls = listCalls()
  return (
    <SiteFrame signedIn={account !== null}>
      <section className="hero">
        <div>
          <h1>One POST in, one finished PDF out.</h1>
          <p className="lead">
            Sheaf is an HTTP API for PDF files: it merges, splits, arranges, crops, numbers, stamps and flattens them, fills forms, reads scans, draws
            invoices, and keeps the bookmarks, links, form fields and tags that others lose. The answer is the file itself. Nothing that you send is kept.
          </p>
          <div className="actions">
            {account === null ? (
              <Link className="button primary" href="/sign-in?new=1">
                Create an account
              </Link>
            ) : (
              <Link className="button primary" href="/account">
                Open your account
              </Link>
            )}
            <a className="button" href="/docs">
              Read the docs
            </a>
          </div>
        </div>
        <div className="sheaf">
          <CodeTabs label="Merge two files" samples={firstCallSamples(origin)} />
        </div>
      </section>

      <dl className="facts">
        <div>
          <dt>100 credits a month, free</dt>
          <dd>Granted to every account each calendar month and added to what is left. 1,000 more cost $1.</dd>
        </div>
        <div>
          <dt>One credit for a call that worked</dt>
          <dd>A call that fails is not charged. Every answer says what it cost and what remains.</dd>
        </div>
        <div>
          <dt>Errors that say what to change</dt>
          <dd>A stable code, a sentence that names the field, the value and the limit, and a request id.</dd>
        </div>
      </dl>

      <section className="contents" aria-labelledby="contents">
        <h2 id="contents">What it does</h2>
        <p>{calls.length} kinds of call, each one POST request.</p>
        <ul>
          {calls.map(({ slug, title, summary }) => (
            <li key={slug}>
              <a href={`/docs/${slug}`}>{title}</a>
              <p>{summary}</p>
            </li>
          ))}
        </ul>
      </section>
    </SiteFrame>
  )
}
