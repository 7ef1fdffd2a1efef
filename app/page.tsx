import type { Metadata } from 'next'
import { currentAccount } from '../lib/accounts/session/session'
import { listDocumentedCalls } from '../lib/docs/documented-calls'
import { currentOrigin } from './_server/current-origin'
import { firstCallSamples } from './_server/first-call'
import { CodeTabs } from './_ui/elements/code-tabs'
import { Inline } from './docs/inline'
import { LinkButton } from './_ui/elements/link-button'
import { SiteFrame } from './_ui/frame/site-frame'
import classes from './landing.module.css'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { alternates: { canonical: '/' } }

export default async function LandingPage() {
  const [account, origin] = await Promise.all([currentAccount(), currentOrigin()])
  const calls = listDocumentedCalls()
  return (
    <SiteFrame signedIn={account !== null}>
      <section className={classes.hero}>
        <div className={classes.pitch}>
          <h1>The PDF API: merge, redact, OCR and generate PDFs with one request.</h1>
          <p className={classes.lead}>
            Sheaf is an HTTP API for developers who work with PDF files, web pages and invoices. Send your files in one
            POST request, and the response is the finished file. Redacted content is removed, then a second engine
            verifies it. Sheaf doesn’t store your documents.
          </p>
          <p className={classes.actions}>
            <LinkButton primary href={account === null ? '/sign-in?new=1' : '/account'}>
              {account === null ? 'Create an account' : 'Open your account'}
            </LinkButton>
            <LinkButton href="/docs">Read the docs</LinkButton>
          </p>
          <p className={classes.price} id="price">
            <strong>100 free credits each month.</strong> 1,000 more cost $1. A successful request costs 1 credit. A
            failed request costs nothing.
          </p>
        </div>
        <div className={classes.proof}>
          <CodeTabs label="Merge two files" samples={firstCallSamples(origin).withVariable} />
          <div className={classes.letters}>
            <Letter
              name="before"
              title="Before"
              alt="A letter with the name Erik Lindqvist, an IBAN, an email address and a phone number."
            />
            <Letter
              name="after"
              title="After"
              alt="The same letter with black boxes over the name, IBAN, email and phone number. One says “employee”."
            />
          </div>
          <p className={classes.soft}>
            One request to <a href="/docs/pdf-redaction">pdf-redaction</a> removes a name and every IBAN, email address
            and phone number. The covered content is no longer in the file. A second engine checks the file before you
            get it.
          </p>
        </div>
      </section>

      <section className={classes.contents} aria-labelledby="contents">
        <h2 id="contents">Endpoints</h2>
        <p>{calls.length} endpoints for PDF files, web pages and invoices.</p>
        <ul>
          {calls.map(({ slug, title, summary }) => (
            <li key={slug}>
              <a href={`/docs/${slug}`}>{title}</a>
              <p>
                <Inline text={summary} />
              </p>
            </li>
          ))}
        </ul>
      </section>
    </SiteFrame>
  )
}

/** An image of one page, which tests/fixtures/draw-showcase.ts renders with the engine. */
function Letter({ name, title, alt }: { name: 'before' | 'after'; title: string; alt: string }) {
  return (
    <figure className={classes.letter}>
      <figcaption>{title}</figcaption>
      {/* oxlint-disable-next-line nextjs/no-img-element -- a static file that needs no image optimization */}
      <img src={`/showcase/letter-${name}.png`} alt={alt} width={1040} height={700} />
    </figure>
  )
}
