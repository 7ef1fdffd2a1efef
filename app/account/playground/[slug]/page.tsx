import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { getConfig } from '../../../../lib/config'
import { findEndpoint } from '../../../../lib/docs/endpoints'
import { currentBalance, describeMoreCredits } from '../../../_server/credit-state'
import { currentOrigin } from '../../../_server/current-origin'
import { describePage } from '../../../_server/page-metadata'
import { signedInAccount } from '../../../_server/signed-in-account'
import { Code } from '../../../_ui/playground/form/hint'
import { RefreshWhileVisible } from '../../../_ui/forms/refresh-while-visible'
import { Playground } from '../../../_ui/playground/playground'
import { CreditNotice } from '../../credit-notice'
import classes from '../choice.module.css'
import { describePlaygroundEndpoint } from '../playground-endpoints'
import { WARNINGS, type Warning } from '../../../../engines/types'
import { WARNING_ADVICE } from '../../../../lib/docs/warnings'

export const dynamic = 'force-dynamic'

interface Props {
  params: Promise<{ slug: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const endpoint = findEndpoint((await params).slug)
  if (!endpoint) return {}
  return describePage({
    title: `Try ${endpoint.title}`,
    description: `Fill in the options of “${endpoint.title}”, choose files, and run the request in your browser.`,
    path: `/account/playground/${endpoint.slug}`,
    isPrivate: true,
  })
}

export default async function PlaygroundPage({ params }: Props) {
  await signedInAccount()
  const endpoint = findEndpoint((await params).slug)
  if (!endpoint) notFound()
  const [{ balance }, moreCredits, origin] = await Promise.all([
    currentBalance(),
    describeMoreCredits(),
    currentOrigin(),
  ])
  const { MAX_BODY_BYTES, MAX_FILES } = getConfig()
  return (
    <>
      <div className={classes.head}>
        <p>
          <Link href="/account/playground" prefetch={false}>
            All endpoints
          </Link>
        </p>
        <h1>{endpoint.title}</h1>
        <p>
          <Code text={endpoint.summary} /> <a href={`/docs/${endpoint.slug}`}>Documentation</a>
        </p>
      </div>
      <CreditNotice />
      {/* Credits that arrive in another tab enable the button again. */}
      {balance === 0 && <RefreshWhileVisible />}
      <Playground
        key={endpoint.slug}
        endpoint={describePlaygroundEndpoint(endpoint)}
        terms={{
          origin,
          maxBodyBytes: MAX_BODY_BYTES,
          maxFiles: MAX_FILES,
          warnings: describeWarnings(),
          moreCredits,
        }}
        balance={balance}
      />
    </>
  )
}

/** Returns the meaning of each warning and what to do about it, as in the documentation. */
function describeWarnings(): Record<string, string> {
  return Object.fromEntries(
    (Object.keys(WARNINGS) as Warning[]).map(code => [code, `${WARNINGS[code]} ${WARNING_ADVICE[code]}`]),
  ) // The keys come from a constant object.
}
