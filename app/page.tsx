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

export default async function LandingPage() {
  const [account, origin] = await Promise.all([currentAccount(), currentOrigin()])
  const calls = listDocumentedCalls()
  return (
    <SiteFrame signedIn={account !== null}>
      <section className={classes.hero}>
        <div className={classes.pitch}>
          <h1>One POST in, one finished PDF out.</h1>
          <p className={classes.lead}>
            Sheaf merges, splits, stamps, fills, redacts and reads PDF files, prints web pages and draws invoices.
            Bookmarks, links, form fields and tags stay; what should be gone is gone, and checked. The answer is the
            file itself. Nothing that you send is kept.
          </p>
          <p className={classes.actions}>
            <LinkButton primary href={account === null ? '/sign-in?new=1' : '/account'}>
              {account === null ? 'Create an account' : 'Open your account'}
            </LinkButton>
            <LinkButton href="/docs">Read the docs</LinkButton>
          </p>
          <p className={classes.price} id="price">
            <strong>100 credits free each month.</strong> 1,000 more cost $1. One call that works is one credit; a call
            that fails costs nothing.
          </p>
        </div>
        <div className={classes.proof}>
          <CodeTabs label="Merge two files" samples={firstCallSamples(origin).withVariable} />
          <div className={classes.letters}>
            <Letter
              name="before"
              title="Sent"
              alt="A letter that names Erik Lindqvist, his IBAN, his e-mail address and his telephone number."
            />
            <Letter
              name="after"
              title="Answered"
              alt="The same letter: black boxes stand where the name, the IBAN, the address and the number were; one says “employee”."
            />
          </div>
          <p className={classes.soft}>
            One call of <a href="/docs/pdf-redaction">pdf-redaction</a>: a name and every IBAN, e-mail address and
            number. What the boxes cover is no longer in the file, and a second engine has looked before the call was
            charged.
          </p>
        </div>
      </section>

      <section className={classes.contents} aria-labelledby="contents">
        <h2 id="contents">What it does</h2>
        <p>{calls.length} kinds of call, each one POST request.</p>
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
