'use client'

import { useEffect, useState } from 'react'
import type { OpenedDocument } from './pdf-renderer'

/** Larger files aren't shown, because the browser would hold them in memory twice. */
const MOST_BYTES = 100 * 1024 * 1024

/** A document that opens for previews. A failure is a sentence for the visitor. */
export type Opening =
  | { state: 'opening' }
  | { state: 'open'; document: OpenedDocument }
  | { state: 'failed'; sentence: string }

/** Opens a PDF for previews, and closes it when the component unmounts or the file changes. */
export function useDocument(file: Blob): Opening {
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

/** The message of an error for the visitor. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The preview failed.'
}
