'use client'

import { useEffect, useRef, useState } from 'react'
import classes from '../playground.module.css'
import type { OpenedDocument } from './pdf-renderer'
import { sentenceOf } from './use-document'

interface CanvasProps {
  document: OpenedDocument
  pageIndex: number
  /** CSS pixels. */
  widthPx: number
  /** Empty if the button around the image already says the same. */
  label: string
  className?: string | undefined
  isLazy?: boolean
  /** Called with the rotation that the page has in the file. */
  onRotation?: (rotation: number) => void
}

/** An image of a page, rendered by PDFium in the worker. */
export function PageCanvas({
  document,
  pageIndex,
  widthPx,
  label,
  className,
  isLazy = false,
  onRotation,
}: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isNear, setNear] = useState(!isLazy)
  const [failure, setFailure] = useState<string | null>(null)
  const [drawn, setDrawn] = useState<{ width: number; height: number } | null>(null)
  const size = drawn ?? document.pages[pageIndex] ?? { width: 1, height: 1 }

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
    const unmounting = new AbortController()
    const { signal } = unmounting
    const density = Math.min(window.devicePixelRatio, 2)
    document.draw(pageIndex, widthPx * density, widthPx * density * 1.6, signal).then(
      ({ width, height, rotation, pixels }) => {
        const element = canvas.current
        if (signal.aborted || !element) return
        onRotation?.(rotation)
        element.width = width
        element.height = height
        element.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0)
        setDrawn({ width, height })
      },
      (error: unknown) => {
        if (!signal.aborted) setFailure(sentenceOf(error))
      },
    )
    return () => unmounting.abort()
  }, [document, pageIndex, widthPx, isNear, onRotation])

  const words = label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <>
      <canvas
        ref={canvas}
        {...words}
        data-drawn={drawn !== null}
        className={className}
        style={{ aspectRatio: `${size.width} / ${size.height}` }}
      />
      {failure !== null && label !== '' && <span className={classes.soft}>{failure}</span>}
    </>
  )
}
