import localFont from 'next/font/local'

/**
 * Inter for text, in the weights that the site uses (`tests/fixtures/make-site-fonts.mjs`). Next.js creates a fallback
 * of the same width, so that nothing moves when the font is loaded.
 */
export const textFont = localFont({
  src: './fonts/inter.woff2',
  weight: '400 720',
  variable: '--font-text',
  display: 'swap',
})

/** JetBrains Mono for code. */
export const codeFont = localFont({
  src: './fonts/jetbrains-mono.woff2',
  weight: '400 720',
  variable: '--font-code',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
  fallback: ['ui-monospace', 'monospace'],
})
