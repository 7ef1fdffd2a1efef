import localFont from 'next/font/local'

/** Inter for text. Next.js creates a fallback of the same width, so that nothing moves when the font is loaded. */
export const textFont = localFont({
  src: '../../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-text',
  display: 'swap',
})

/** JetBrains Mono for code. */
export const codeFont = localFont({
  src: '../../../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  weight: '100 800',
  variable: '--font-code',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
  fallback: ['ui-monospace', 'monospace'],
})
