'use client'

import { useEffect, useRef, useState } from 'react'
import type { OutlineArea } from '../../../../engines/types'
import type { JsonObject } from '../form/field-shapes'
import type { DocumentProperties } from '../preview/pdf-messages'
import type { PageSize } from './page-box'

/** Pause in typing before an outline is requested, and before a busy server is asked again. */
const PAUSE_MS = 200
const RETRY_MS = 2000
/** Larger requests are refused. */
const MOST_BYTES = 2 * 1024 * 1024

/** What an outline depends on. */
export interface OutlineSubject {
  tool: string
  options: JsonObject
  pages: readonly PageSize[]
  pageCount: number
  pageIndex: number
  fileName: string
  properties: DocumentProperties
}

/** The latest outline. The places of the last valid options stay until others arrive. */
export interface Outline {
  places: OutlineArea[]
  /** Why the current options have no outline. */
  problem?: string
  /** If `true`, the outline belongs to the current options. */
  isReady: boolean
}

/** A response, and the request body that it belongs to. */
interface Received {
  of: string
  pageIndex: number
  places: OutlineArea[]
  problem?: string
}

const NO_PROPERTIES: DocumentProperties = { title: '', author: '', subject: '' }

/**
 * Asks the service where a tool would draw on a page. The sizes of the pages leave the browser, not the file. Its title,
 * author and subject are sent only if the options name one of them.
 */
export function useOutline({
  tool,
  options,
  pages,
  pageCount,
  pageIndex,
  fileName,
  properties,
}: OutlineSubject): Outline {
  const sizedCount = pages.length
  const sizes = pages.map(({ width, height }) => [width, height])
  const metadata = /\{(?:title|author|subject)\b/.test(JSON.stringify(options)) ? properties : NO_PROPERTIES
  const body = JSON.stringify({ tool, options, pages: sizes, pageIndex, fileName, metadata })
  const [received, setReceived] = useState<Received | null>(null)
  /** The server works on one outline at a time, so the next request waits for this one. */
  const pending = useRef<Promise<unknown>>(Promise.resolve())

  useEffect(() => {
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (next: Pick<Received, 'places' | 'problem'>) => {
      if (isCurrent) setReceived({ of: body, pageIndex, ...next })
    }
    const schedule = (pauseMs: number) => {
      timer = setTimeout(() => {
        pending.current = pending.current.then(ask, ask)
      }, pauseMs)
    }
    async function ask() {
      if (!isCurrent) return
      const obstacle = findObstacle(body, pageCount > sizedCount)
      if (obstacle !== undefined) return show({ places: [], problem: obstacle })
      const response = await send(body)
      if (response === 'busy') {
        if (isCurrent) schedule(RETRY_MS)
      } else show(response)
    }
    schedule(PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [body, pageIndex, pageCount, sizedCount])

  const isReady = received?.of === body
  return {
    places: received?.pageIndex === pageIndex ? received.places : [],
    isReady,
    ...(isReady && received.problem !== undefined ? { problem: received.problem } : {}),
  }
}

function findObstacle(body: string, hasUnknownPages: boolean): string | undefined {
  if (hasUnknownPages) return 'Documents with more than 2,000 pages have no outline. Run draws on all pages.'
  return body.length > MOST_BYTES ? 'The images are too large for an outline. Run draws them.' : undefined
}

async function send(body: string): Promise<'busy' | { places: OutlineArea[]; problem?: string }> {
  try {
    const response = await fetch('/api/account/outline', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    if (response.status === 503) return 'busy'
    const {
      places = [],
      problem,
      message,
    } = (await response.json()) as {
      places?: OutlineArea[]
      problem?: string
      message?: string
    }
    const sentence = problem ?? message
    return sentence === undefined ? { places } : { places: [], problem: sentence }
  } catch {
    return { places: [], problem: 'The outline didn’t arrive. Check your connection.' }
  }
}
