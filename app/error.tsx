'use client'

import buttons from './_ui/elements/link-button.module.css'
import { MessageBox } from './_ui/frame/message-box'
import { PlainFrame } from './_ui/frame/plain-frame'

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <PlainFrame signedIn={false}>
      <MessageBox title="This page failed to load" isAlert>
        <p>An error occurred on our side. Try again.</p>
        {error.digest !== undefined && (
          <p>
            Reference for the operator: <code>{error.digest}</code>
          </p>
        )}
        <button type="button" className={buttons.button} onClick={reset}>
          Try again
        </button>
      </MessageBox>
    </PlainFrame>
  )
}
