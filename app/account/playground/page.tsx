import type { Metadata } from 'next'
import { describePage } from '../../_server/page-metadata'
import Link from 'next/link'
import { listEndpoints } from '../../../lib/docs/endpoints'
import { signedInAccount } from '../../_server/signed-in-account'
import { Code } from '../../_ui/playground/form/hint'
import { CreditNotice } from '../credit-notice'
import classes from './choice.module.css'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = describePage({
  title: 'Playground',
  description: 'Choose an endpoint, fill in its options, and run the request in your browser.',
  path: '/account/playground',
  isPrivate: true,
})

export default async function PlaygroundChoicePage() {
  await signedInAccount()
  const endpoints = listEndpoints()
  const groups = [...new Set(endpoints.map(({ group }) => group))]
  return (
    <>
      <div className={classes.head}>
        <h1>Playground</h1>
        <p>
          Send requests in the browser with your files or with samples, and preview the results. Prices are the same as
          in the API. A successful request costs 1 credit. A failed request costs nothing.
        </p>
      </div>
      <CreditNotice />
      {groups.map(group => (
        <section key={group} className={classes.group}>
          <h2>{group}</h2>
          <ul className={classes.cards}>
            {endpoints
              .filter(endpoint => endpoint.group === group)
              .map(endpoint => (
                <li key={endpoint.slug}>
                  <Link href={`/account/playground/${endpoint.slug}`} prefetch={false}>
                    <strong>{endpoint.title}</strong>
                    <span>
                      <Code text={endpoint.summary} />
                    </span>
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}
