import type { Metadata } from 'next'

export const SITE_TITLE = 'Sheaf: the PDF API for developers'
export const SITE_DESCRIPTION =
  'Merge, split, fill, redact and OCR PDF files, convert web pages to PDF, and generate invoices with one request.'

/** The image of a shared link. tests/fixtures/make-site-images.mjs draws it. */
const SHARED_IMAGE = {
  url: '/shared-link.png',
  width: 1200,
  height: 630,
  type: 'image/png',
  alt: 'Sheaf, the PDF API: merge, redact, OCR and generate PDFs with one request. Beside it, a letter with black boxes.',
}

export const OPEN_GRAPH = {
  type: 'website',
  siteName: 'Sheaf',
  locale: 'en_US',
  title: SITE_TITLE,
  description: SITE_DESCRIPTION,
  images: [SHARED_IMAGE],
} as const satisfies Metadata['openGraph']

export const TWITTER_CARD = {
  card: 'summary_large_image',
  title: SITE_TITLE,
  description: SITE_DESCRIPTION,
  images: [SHARED_IMAGE],
} as const satisfies Metadata['twitter']

interface PageFacts {
  title: string
  /** 50 to 160 characters, so that search engines and shared links show all of it. */
  description: string
  path: string
  /** Whether the page is only for the visitor, so that no search engine lists it. */
  isPrivate?: boolean
  /** Other formats of the page: URLs by media type. */
  types?: Record<string, string>
}

/** Returns the metadata of a page: title, description, canonical URL, and what a shared link shows. */
export function describePage({ title, description, path, isPrivate = false, types }: PageFacts): Metadata {
  const shared = { title: `${title} · Sheaf`, description }
  return {
    title,
    description,
    alternates: { canonical: path, ...(types && { types }) },
    openGraph: { ...OPEN_GRAPH, ...shared, url: path },
    twitter: { ...TWITTER_CARD, ...shared },
    ...(isPrivate && { robots: { index: false, follow: false } }),
  }
}
