import { notFound, redirect } from 'next/navigation'
import { getConfig } from '../../lib/config'

export const dynamic = 'force-dynamic'

/** Redirects to the operator's page. */
export default function TermsPage() {
  redirect(getConfig().TERMS_URL ?? notFound())
}
