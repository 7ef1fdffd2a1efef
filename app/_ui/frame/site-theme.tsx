'use client'

import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core'
import { createTheme, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import './component-styles'

const spruce: MantineColorsTuple = [
  '#ecf8f3',
  '#d7efe5',
  '#abdfcb',
  '#7acdaf',
  '#52bd96',
  '#2f9f7b',
  '#138261',
  '#0b6b54',
  '#085643',
  '#05402f',
]
const dark: MantineColorsTuple = [
  '#dbe4df',
  '#b9c6bf',
  '#97a8a0',
  '#6f8078',
  '#43524b',
  '#2c3832',
  '#1e2723',
  '#161e1a',
  '#0f1512',
  '#0a0f0c',
]
const red: MantineColorsTuple = [
  '#fdf0ee',
  '#f9dcd8',
  '#f1b5ad',
  '#eb9a90',
  '#e4786c',
  '#c9402f',
  '#b3261e',
  '#a12a1e',
  '#7c1a15',
  '#611510',
]

const theme = createTheme({
  primaryColor: 'spruce',
  primaryShade: { light: 7, dark: 6 },
  colors: { spruce, dark, red },
  fontFamily: 'var(--text-font)',
  fontFamilyMonospace: 'var(--code-font)',
  headings: { fontFamily: 'var(--text-font)', fontWeight: '680' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // The library's yellow and green titles have too little contrast.
  components: { Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } } },
})

/**
 * The site's own colors, which `globals.css` defines for both schemes. The contrast of text is at least 4.5:1
 * (WCAG 2.2, 1.4.3).
 */
const resolveVariables: CSSVariablesResolver = () => {
  const colors = {
    '--mantine-color-body': 'var(--body)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--soft)',
    '--mantine-color-placeholder': 'var(--soft)',
    '--mantine-color-error': 'var(--failure)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-default': 'var(--body)',
    '--mantine-color-default-color': 'var(--accent)',
    '--mantine-color-default-hover': 'var(--paper)',
  }
  return { variables: {}, light: colors, dark: colors }
}

/** Provides the component library. Only the account area and the sign-in load it, which keeps other pages small. */
export function SiteTheme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  )
}
