import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { currentAccount } from '../lib/accounts/session/session'
import { MONTHLY_CREDITS } from '../lib/credits/ledger'
import { type Endpoint, listEndpoints } from '../lib/docs/endpoints'
import { highlightSamples } from '../lib/docs/highlight'
import { listProofs } from '../lib/docs/start-page/proofs'
import { SHOWCASE, SHOWCASE_RESULT, writeShowcaseSamples } from '../lib/docs/start-page/showcase'
import { CREDITS_PER_CENT } from '../lib/purchases/price'
import { TRIALS_PER_HOUR } from '../lib/trial/trial-limits'
import { currentOrigin } from './_server/current-origin'
import { CodeTabs } from './_ui/elements/code-tabs'
import { LinkButton } from './_ui/elements/link-button'
import { SiteFrame } from './_ui/frame/site-frame'
import { TrialButton } from './_ui/trial/trial-button'
import classes from './landing.module.css'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { alternates: { canonical: '/' } }

export default async function LandingPage() {
  const [account, origin] = await Promise.all([currentAccount(), currentOrigin()])
  const endpoints = listEndpoints()
  const start =
    account === null
      ? { href: '/sign-in?new=1', text: 'Create an account' }
      : { href: '/account', text: 'Open your account' }
  return (
    <SiteFrame signedIn={account !== null} wide>
      <section className={classes.hero}>
        <div>
          <h1>The PDF API: merge, redact, OCR and generate PDFs with one request.</h1>
          <p className={classes.lead}>
            For developers who work with PDF files, web pages and invoices. Send your files in one POST request. The
            response is the finished file.
          </p>
          <p className={classes.actions}>
            <LinkButton primary href={start.href}>
              {start.text}
            </LinkButton>
            <LinkButton href="/docs/quickstart">Read the quickstart</LinkButton>
          </p>
          <p className={classes.free}>
            {MONTHLY_CREDITS} free credits each month, then $1 for {CREDITS_PER_DOLLAR} requests.
          </p>
          <ul className={classes.reasons} aria-label="Why Sheaf">
            <li>
              <a href="/docs/security#redaction-traps">Redacted content is removed</a>, and a second PDF engine checks
              the result before you get it.
            </li>
            <li>
              <a href="/docs/pricing#failed-requests">Failed requests are free</a>, and a retry is never charged twice.
            </li>
            <li>
              <a href="/docs/privacy">No document is stored</a>. Your files are gone after the response.
            </li>
          </ul>
        </div>
        <Request origin={origin} />
        <Page title="The file you send" file={SHOWCASE.file} alt={ALT_BEFORE} />
        <Page title="The file you get" file={SHOWCASE.result} alt={ALT_AFTER} />
      </section>

      <section className={classes.section} aria-labelledby="try">
        <h2 id="try">Try it without an account</h2>
        <div className={classes.trial}>
          <div>
            <p className={classes.text}>
              Redact a sample payslip, or merge sample files. You can send {TRIALS_PER_HOUR} requests per hour. Sheaf
              keeps no copy of the input or the result.
            </p>
            <TrialButton origin={origin}>Open the trial</TrialButton>
          </div>
          <PageImage file={SHOWCASE.result} alt={ALT_TRIAL} />
        </div>
      </section>

      <section className={classes.section} aria-labelledby="proof">
        <h2 id="proof">Test results</h2>
        <ul className={classes.proofs}>
          {listProofs().map(({ figure, unit, text, href, linkText }) => (
            <li key={href}>
              <h3>
                <strong>{figure}</strong> {unit}
              </h3>
              <p>{text}</p>
              <a href={href}>{linkText}</a>
            </li>
          ))}
        </ul>
      </section>

      <section className={classes.section} aria-labelledby="endpoints">
        <h2 id="endpoints">{endpoints.length} endpoints</h2>
        <div className={classes.groups}>
          {[...new Set(endpoints.map(({ group }) => group))].map(group => (
            <Group key={group} title={group} endpoints={endpoints.filter(endpoint => endpoint.group === group)} />
          ))}
        </div>
      </section>

      <section className={classes.section} aria-labelledby="price">
        <h2 id="price">Pricing</h2>
        <dl className={classes.price}>
          <Fact title={`${MONTHLY_CREDITS} credits`}>
            free each month, for every account. A successful request costs 1 credit.
          </Fact>
          <Fact title="$1">for {CREDITS_PER_DOLLAR} more credits. They don’t expire.</Fact>
          <Fact title="0 credits">for a failed request. Sheaf refunds the credit.</Fact>
          <Fact title="0 documents">stored. Sheaf keeps no copy of your files and results after the request.</Fact>
        </dl>
        <p className={classes.actions}>
          {account === null && (
            <LinkButton primary href={start.href}>
              Start with {MONTHLY_CREDITS} free credits
            </LinkButton>
          )}
          <LinkButton href="/docs/pricing">Pricing details</LinkButton>
          <LinkButton href="/docs/privacy">What Sheaf stores</LinkButton>
        </p>
      </section>
    </SiteFrame>
  )
}

const CREDITS_PER_DOLLAR = (CREDITS_PER_CENT * 100).toLocaleString('en')

const ALT_BEFORE =
  'A payslip. Employee: Ada Reyes. Net pay: EUR 2,617.40. Paid to: DE89 3704 0044 0532 0130 00. Below: Ada Reyes has ' +
  '14 days of leave left.'
const ALT_TRIAL = 'The payslip of the trial, after the name and the IBAN are redacted.'
const ALT_AFTER =
  'The same payslip with black boxes over the IBAN and over both places with the name. The net pay is still readable.'

/** The request whose file and result the images show. */
function Request({ origin }: { origin: string }) {
  return (
    <div className={classes.request}>
      <CodeTabs label="Redact a payslip" samples={highlightSamples(writeShowcaseSamples(origin))} />
      <div className={classes.response}>
        <h2>Response</h2>
        <p>
          <code>HTTP/1.1 200 OK</code>
          {Object.entries(SHOWCASE_RESULT.headers).map(([name, value]) => (
            <code key={name}>
              {name}: {value}
            </code>
          ))}
        </p>
      </div>
      <p className={classes.note}>
        The name and the IBAN are no longer in the file. A second PDF engine verifies this before you get it.
      </p>
    </div>
  )
}

/** A page of a PDF as an image, which tests/fixtures/draw-showcase.ts renders. */
function Page({ title, file, alt }: { title: string; file: string; alt: string }) {
  return (
    <figure className={classes.page}>
      <figcaption>
        {title}: <a href={`/samples/${file}`}>{file}</a>
      </figcaption>
      <PageImage file={file} alt={alt} />
    </figure>
  )
}

function PageImage({ file, alt }: { file: string; alt: string }) {
  const { width, height } = SHOWCASE_RESULT
  return (
    // oxlint-disable-next-line nextjs/no-img-element -- a static file that needs no image optimization
    <img
      src={`/showcase/${file.replace('.pdf', '.webp')}`}
      alt={alt}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
    />
  )
}

function Group({ title, endpoints }: { title: string; endpoints: Endpoint[] }) {
  return (
    <section className={classes.group}>
      <h3>{title}</h3>
      <ul>
        {endpoints.map(({ slug, title: name, tagline }) => (
          <li key={slug}>
            <a href={`/docs/${slug}`}>{name}</a>
            <p>{tagline}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
