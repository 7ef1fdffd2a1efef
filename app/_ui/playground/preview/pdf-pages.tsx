'use client'

import { useState } from 'react'
import classes from '../playground.module.css'
import { PageCanvas } from './page-canvas'
import { useDocument } from './use-document'
import { Button } from '../../elements/button'

/** Number of pages shown at first, and added by each click on the button. */
const PAGES_AT_ONCE = 20
const THUMB_PX = 96
const LARGE_PX = 640

/** The pages of a PDF as images: one large page, and thumbnails that are rendered when they come into view. */
export function PdfPages({ file, name }: { file: Blob; name: string }) {
  const opening = useDocument(file)
  const [chosenIndex, setChosenIndex] = useState(0)
  const [visibleCount, setVisibleCount] = useState(PAGES_AT_ONCE)
  if (opening.state === 'failed') return <p className={classes.soft}>{opening.sentence}</p>
  if (opening.state === 'opening')
    return <div className={classes.blank} role="status" aria-label={`Rendering ${name}`} />
  const { document } = opening
  const count = document.pages.length
  const current = Math.min(chosenIndex, count - 1)
  if (count === 0) return <p className={classes.soft}>This PDF has no pages.</p>
  return (
    <div className={classes.pages} data-testid="pages" data-pages={count}>
      <PageCanvas
        key={current}
        document={document}
        pageIndex={current}
        widthPx={LARGE_PX}
        label={`Page ${current + 1} of ${count} of ${name}`}
        className={classes.large}
      />
      <p className={classes.soft}>
        Page {current + 1} of {count}
      </p>
      {count > 1 && (
        <ul className={classes.strip} aria-label={`Pages of ${name}`}>
          {document.pages.slice(0, visibleCount).map((size, index) => (
            <li key={index}>
              <button
                type="button"
                className={classes.thumb}
                aria-label={`Show page ${index + 1}`}
                aria-pressed={index === current}
                onClick={() => setChosenIndex(index)}
              >
                <PageCanvas document={document} pageIndex={index} widthPx={THUMB_PX} label="" isLazy />
                <span aria-hidden>{index + 1}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {count > visibleCount && (
        <Button look="secondary" size="small" onClick={() => setVisibleCount(visibleCount + PAGES_AT_ONCE)}>
          {Math.min(PAGES_AT_ONCE, count - visibleCount)} more pages
        </Button>
      )}
    </div>
  )
}
