'use client'

import { createContext, type ReactNode, useContext, useMemo } from 'react'

interface LegalPages {
  hasTerms: boolean
  hasPrivacy: boolean
  /** Email address of the operator. */
  contact?: string | undefined
  /** URL of the sources. */
  source?: string | undefined
}

const Pages = createContext<LegalPages>({ hasTerms: false, hasPrivacy: false })

/** Tells the links below what the operator has set. */
export function LegalPagesProvider({
  hasTerms,
  hasPrivacy,
  contact,
  source,
  children,
}: LegalPages & { children: ReactNode }) {
  const pages = useMemo(() => ({ hasTerms, hasPrivacy, contact, source }), [hasTerms, hasPrivacy, contact, source])
  return <Pages value={pages}>{children}</Pages>
}

/** Links of the footer. */
export function LegalLinks() {
  const { hasTerms, hasPrivacy, contact, source } = useContext(Pages)
  return (
    <>
      {hasTerms && <a href="/terms">Terms</a>}
      <a href={hasPrivacy ? '/privacy' : '/docs/privacy'}>Privacy</a>
      {contact !== undefined && <a href={`mailto:${contact}`}>Contact</a>}
      {source !== undefined && <a href={source}>Source</a>}
    </>
  )
}

/** What a visitor agrees to with a new account. Nothing if the operator has set no legal page. */
export function LegalNote() {
  const { hasTerms, hasPrivacy } = useContext(Pages)
  if (!hasTerms && !hasPrivacy) return null
  return (
    <p>
      By creating an account, you agree to{' '}
      {hasTerms && (
        <>
          the <a href="/terms">terms</a>
        </>
      )}
      {hasTerms && hasPrivacy && ' and '}
      {hasPrivacy && (
        <>
          the <a href="/privacy">privacy policy</a>
        </>
      )}
      .
    </p>
  )
}
