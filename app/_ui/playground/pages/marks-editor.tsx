'use client'

import { useState } from 'react'
import type { OutlineArea } from '../../../../engines/types'
import type { EditorProps } from './editor-panel'
import type { PageSize } from './page-box'
import { PagePicker } from './page-picker'
import { PageStage } from './page-stage'
import classes from './pages.module.css'
import { useOutline } from './use-outline'

/** Shows where a watermark, page numbers, or headers and footers will be. The form sets the options. */
export function MarksEditor({ document, tool, fileName, options }: EditorProps) {
  const [pageIndex, setPageIndex] = useState(0)
  const { pages, pageCount, properties } = document
  const size = pages[pageIndex] ?? { width: 1, height: 1 }
  const { places, problem, isReady } = useOutline({ tool, options, pages, pageCount, pageIndex, fileName, properties })
  return (
    <div className={classes.editor}>
      <div className={classes.tools}>
        <p className={classes.soft}>Outline. Run draws the final result.</p>
        <PagePicker pageIndex={pageIndex} count={pages.length} onChange={setPageIndex} />
      </div>
      <PageStage
        document={document}
        pageIndex={pageIndex}
        label={`Page ${pageIndex + 1} with an outline of the result`}
      >
        <svg
          className={classes.outline}
          viewBox={`0 0 ${size.width} ${size.height}`}
          data-testid="outline"
          data-ready={isReady}
          aria-hidden
        >
          {places.map((place, index) => (
            <Place key={index} place={place} page={size} />
          ))}
        </svg>
      </PageStage>
      <p role="status" className={problem === undefined ? classes.soft : classes.problem}>
        {problem ?? (isReady ? describePlaces(places, pageIndex + 1) : '')}
      </p>
    </div>
  )
}

/** A box in the place of a text or an image, with the text if it has one line. */
function Place({ place, page }: { place: OutlineArea; page: PageSize }) {
  const { matrix, width, height, text, opacity } = place
  const [a, b, c, d, e, f] = matrix
  return (
    // The matrix counts upward from the lower-left corner of the page, and SVG downward from the upper-left one.
    <g transform={`matrix(${a} ${-b} ${-c} ${d} ${e} ${page.height - f})`} data-testid="place">
      <rect className={classes.place} x={0} y={-height} width={width} height={height} />
      {text !== undefined && !text.includes('\n') && (
        <text
          className={classes.placeText}
          x={0}
          y={-height * 0.12}
          fontSize={height * 0.9}
          textLength={width}
          lengthAdjust="spacingAndGlyphs"
          opacity={Math.max(0.25, opacity)}
        >
          {text}
        </text>
      )}
    </g>
  )
}

function describePlaces(places: OutlineArea[], pageNumber: number): string {
  const texts = [...new Set(places.flatMap(({ text }) => text?.replaceAll('\n', ' ') ?? []))].slice(0, 6)
  if (places.length === 0) return `Nothing is drawn on page ${pageNumber}.`
  const count = places.length === 1 ? '1 place' : `${places.length} places`
  return `${count} on page ${pageNumber}${texts.length === 0 ? '' : `: ${texts.map(text => `“${text}”`).join(', ')}`}.`
}
