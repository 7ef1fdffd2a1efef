'use client'

import { createContext, type ReactNode, useContext, useMemo } from 'react'

interface LegalPages {
  hasTerms: boolean
  hasPrivacy: boolean
}

const Pages = createContext<LegalPages>({ hasTerms: false, hasPrivacy: false })

/** Tells the links below which legal pages the operator has set. */
export function LegalPagesProvider({ hasTerms, hasPrivacy, children }: LegalPages & { children: ReactNode }) {
  const pages = useMemo(() => ({ hasTerms, hasPrivacy }), [hasTerms, hasPrivacy])
  return <Pages value={pages}>{children}</Pages>
}

/** Links of the footer. */
export function LegalLinks() {
  const { hasTerms, hasPrivacy } = useContext(Pages)
  return (
    <>
      {hasTerms && <a href="/terms">Terms</a>}
      {hasPrivacy && <a href="/privacy">Privacy policy</a>}
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
