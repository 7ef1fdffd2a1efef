/** Families that replace common fonts, most of them with the same widths (Arimo, Tinos, Cousine). */
const STAND_INS: Readonly<Record<string, string[]>> = {
  Arimo: [
    'sans-serif',
    'Arial',
    'Helvetica',
    'Helvetica Neue',
    'Liberation Sans',
    'Verdana',
    'Tahoma',
    'Geneva',
    'Calibri',
    'Trebuchet MS',
  ],
  Tinos: ['serif', 'Times New Roman', 'Times', 'Liberation Serif', 'Georgia', 'Cambria', 'Garamond', 'Palatino'],
  Cousine: [
    'monospace',
    'Courier New',
    'Courier',
    'Liberation Mono',
    'Consolas',
    'Menlo',
    'Monaco',
    'SF Mono',
    'DejaVu Sans Mono',
  ],
  Inter: ['system-ui', 'ui-sans-serif', 'Inter Variable', 'Segoe UI', 'Roboto', 'San Francisco', 'cursive', 'fantasy'],
}

/** Families that get another name than the one in their files. */
const RENAMED: Readonly<Record<string, string>> = {
  'Inter Variable': 'Inter',
  'Noto Sans Hebrew Thin': 'Noto Sans Hebrew',
  'Noto Sans SC Thin': 'Noto Sans SC',
  'Noto Sans TC Thin': 'Noto Sans TC',
  'Noto Sans JP Thin': 'Noto Sans JP',
  'Noto Sans KR Thin': 'Noto Sans KR',
}

/** The preferred family for Chinese characters, by the language of the text. */
const BY_LANGUAGE = [
  ['ja', 'JP'],
  ['ko', 'KR'],
  ['zh-hant', 'TC'],
  ['zh-tw', 'TC'],
  ['zh-hk', 'TC'],
  ['zh-mo', 'TC'],
  ['zh', 'SC'],
] as const

const SCRIPTS = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Gujarati',
  'Gurmukhi',
  'Hebrew',
  'Kannada',
  'Khmer',
  'Lao',
  'Malayalam',
  'Myanmar',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thai',
]

/**
 * Fallback families for scripts and symbols, in order of preference. Symbol fonts come last, because the math font has
 * Arabic letters that don't join.
 */
const LAST_RESORT = [
  ...['Arimo', 'Inter'],
  ...SCRIPTS.map(script => `Noto Sans ${script}`),
  ...['SC', 'JP', 'KR', 'TC'].map(region => `Noto Sans ${region}`),
  ...['Noto Emoji', 'Noto Sans Symbols', 'Noto Sans Symbols 2', 'Noto Sans Math'],
]

/** A folder in which operators can install fonts. */
const OPERATOR_FONTS = '/usr/local/share/fonts'

/**
 * Writes a fontconfig configuration (fonts.conf(5)) for the fonts in `folder` and those that the operator installed.
 */
export function writeFontConfiguration({ folder, cache }: { folder: string; cache: string }): string {
  const renamed = Object.entries(RENAMED).map(
    ([from, to]) =>
      `<match target="scan"><test name="family">${quote(from)}</test><edit name="family" ` +
      `mode="assign">${quote(to)}</edit></match>`,
  )
  const standIns = Object.entries(STAND_INS).flatMap(([family, names]) => names.map(name => writeStandIn(name, family)))
  const languages = BY_LANGUAGE.map(
    ([language, region]) =>
      `<match target="pattern"><test name="lang" compare="contains">${quote(language)}</test><edit name="family" ` +
      `mode="append">${quote(`Noto Sans ${region}`)}</edit></match>`,
  )
  const last = `<match target="pattern"><edit name="family" mode="append_last">${LAST_RESORT.map(quote).join('')}</edit></match>`
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    `<dir>${escape(folder)}</dir><dir>${OPERATOR_FONTS}</dir><cachedir>${escape(cache)}</cachedir>`,
    ...renamed,
    ...standIns,
    ...languages,
    last,
    '</fontconfig>\n',
  ].join('\n')
}

function writeStandIn(name: string, family: string): string {
  return (
    `<match target="pattern"><test qual="any" name="family">${quote(name)}</test><edit name="family" mode="assign" ` +
    `binding="same">${quote(family)}</edit></match>`
  )
}

function quote(text: string): string {
  return `<string>${escape(text)}</string>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
