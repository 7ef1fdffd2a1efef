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
import { describeWarnings } from '../playground-texts'

export const dynamic = 'force-dynamic'

interface Props {
  params: Promise<{ slug: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const call = findEndpoint((await params).slug)
  if (!call) return {}
  return describePage({
    title: `Try ${call.title}`,
    description: `Fill in the options of “${call.title}”, choose files, and run the request in your browser.`,
    path: `/account/playground/${call.slug}`,
    isPrivate: true,
  })
}

export default async function PlaygroundPage({ params }: Props) {
  await signedInAccount()
  const call = findEndpoint((await params).slug)
  if (!call) notFound()
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
        <h1>{call.title}</h1>
        <p>
          <Code text={call.summary} /> <a href={`/docs/${call.slug}`}>Documentation</a>
        </p>
      </div>
      <CreditNotice />
      {/* Credits that arrive in another tab enable the button again. */}
      {balance === 0 && <RefreshWhileVisible />}
      <Playground
        key={call.slug}
        call={describePlaygroundEndpoint(call)}
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
