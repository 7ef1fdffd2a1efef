'use client'

import classes from './pages.module.css'
import { Button } from '../../elements/button'

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
      <Button look="secondary" size="small" disabled={pageIndex === 0} onClick={() => onChange(pageIndex - 1)}>
        Previous page
      </Button>
      <span aria-live="polite">
        Page {pageIndex + 1} of {count}
      </span>
      <Button look="secondary" size="small" disabled={pageIndex >= count - 1} onClick={() => onChange(pageIndex + 1)}>
        Next page
      </Button>
    </div>
  )
}
