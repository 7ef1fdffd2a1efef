import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { getConfig } from '../../../../lib/config'
import { getLedger } from '../../../../lib/credits/ledger'
import { findDocumentedCall } from '../../../../lib/docs/documented-calls'
import { currentOrigin } from '../../../_server/current-origin'
import { describePage } from '../../../_server/page-metadata'
import { signedInAccount } from '../../../_server/signed-in-account'
import { Code } from '../../../_ui/playground/form/hint'
import { Playground } from '../../../_ui/playground/playground'
import classes from '../choice.module.css'
import { describePlaygroundCall } from '../playground-calls'
import { describeWarnings } from '../playground-texts'

export const dynamic = 'force-dynamic'

interface Props {
  params: Promise<{ slug: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const call = findDocumentedCall((await params).slug)
  if (!call) return {}
  return describePage({
    title: `Try ${call.title}`,
    description: `Fill in the options of “${call.title}”, choose files, and run the request in your browser.`,
    path: `/account/playground/${call.slug}`,
    isPrivate: true,
  })
}

export default async function PlaygroundPage({ params }: Props) {
  const account = await signedInAccount()
  const call = findDocumentedCall((await params).slug)
  if (!call) notFound()
  const [{ balance }, origin] = await Promise.all([getLedger().grantMonth(account.id), currentOrigin()])
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
      <Playground
        key={call.slug}
        call={describePlaygroundCall(call)}
        terms={{
          origin,
          maxBodyBytes: MAX_BODY_BYTES,
          maxFiles: MAX_FILES,
          warnings: describeWarnings(),
        }}
        balance={balance}
      />
    </>
  )
}
