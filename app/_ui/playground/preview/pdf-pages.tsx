'use client'

import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import classes from '../playground.module.css'
import type { OpenedDocument } from './pdf-renderer'

/** Number of pages shown at first, and added by each click on the button. */
const PAGES_AT_ONCE = 20
const THUMB_PX = 96
const LARGE_PX = 640
/** Larger files aren't shown, because the browser would hold them in memory twice. */
const MOST_BYTES = 100 * 1024 * 1024

type Opening =
  | { state: 'opening' }
  | { state: 'open'; document: OpenedDocument }
  | { state: 'failed'; sentence: string }

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
        <Button variant="default" size="compact-sm" onClick={() => setVisibleCount(visibleCount + PAGES_AT_ONCE)}>
          {Math.min(PAGES_AT_ONCE, count - visibleCount)} more pages
        </Button>
      )}
    </div>
  )
}

function useDocument(file: Blob): Opening {
  const [opening, setOpening] = useState<{ of: Blob; now: Opening }>({ of: file, now: { state: 'opening' } })
  useEffect(() => {
    let isUnmounted = false
    let opened: OpenedDocument | undefined
    const update = (now: Opening) => {
      if (!isUnmounted) setOpening({ of: file, now })
    }
    async function open() {
      if (file.size > MOST_BYTES) return update({ state: 'failed', sentence: 'This file is too large for a preview.' })
      const { pdfDrawer } = await import('./pdf-renderer')
      const document = await pdfDrawer.open(file)
      if (isUnmounted) return document.close()
      opened = document
      update({ state: 'open', document })
    }
    open().catch((error: unknown) => update({ state: 'failed', sentence: sentenceOf(error) }))
    return () => {
      isUnmounted = true
      opened?.close()
    }
  }, [file])
  return opening.of === file ? opening.now : { state: 'opening' }
}

interface CanvasProps {
  document: OpenedDocument
  pageIndex: number
  /** CSS pixels. */
  widthPx: number
  /** Empty if the button around the image already says the same. */
  label: string
  className?: string | undefined
  isLazy?: boolean
}

function PageCanvas({ document, pageIndex, widthPx, label, className, isLazy = false }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isNear, setNear] = useState(!isLazy)
  const [failure, setFailure] = useState<string | null>(null)
  const [isDrawn, setDrawn] = useState(false)
  const size = document.pages[pageIndex] ?? { width: 1, height: 1 }

  useEffect(() => {
    const element = canvas.current
    if (!element || isNear) return
    const observer = new IntersectionObserver(
      entries => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [isNear])

  useEffect(() => {
    if (!isNear) return
    let isUnmounted = false
    const density = Math.min(window.devicePixelRatio, 2)
    document.draw(pageIndex, widthPx * density, widthPx * density * 1.6).then(
      ({ width, height, pixels }) => {
        const element = canvas.current
        if (isUnmounted || !element) return
        element.width = width
        element.height = height
        element.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0)
        setDrawn(true)
      },
      (error: unknown) => {
        if (!isUnmounted) setFailure(sentenceOf(error))
      },
    )
    return () => {
      isUnmounted = true
    }
  }, [document, pageIndex, widthPx, isNear])

  const words = label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <>
      <canvas
        ref={canvas}
        {...words}
        data-drawn={isDrawn}
        className={className}
        style={{ aspectRatio: `${size.width} / ${size.height}` }}
      />
      {failure !== null && label !== '' && <span className={classes.soft}>{failure}</span>}
    </>
  )
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The preview failed.'
}
