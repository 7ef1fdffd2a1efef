'use client'

import { Button } from '@mantine/core'
import classes from './pages.module.css'

interface Props {
  pageIndex: number
  count: number
  onChange: (pageIndex: number) => void
}

/** Two buttons that turn pages. Nothing if the document has one page. */
export function PagePicker({ pageIndex, count, onChange }: Props) {
  if (count < 2) return null
  return (
    <div className={classes.picker} role="group" aria-label="Shown page">
      <Button variant="default" size="compact-sm" disabled={pageIndex === 0} onClick={() => onChange(pageIndex - 1)}>
        Previous page
      </Button>
      <span aria-live="polite">
        Page {pageIndex + 1} of {count}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        disabled={pageIndex >= count - 1}
        onClick={() => onChange(pageIndex + 1)}
      >
        Next page
      </Button>
    </div>
  )
}
