import type { Library } from './harness.ts'

/**
 * Begins an upload of a file, with text fields before it; resolves when that has been read, but not the form's end,
 * which comes by `end`.
 */
export async function beginUpload(
  library: Library,
  token: string,
  {
    file,
    fields = {},
    headers = {},
  }: { file: Uint8Array; fields?: Record<string, string>; headers?: Record<string, string> },
): Promise<{ answer: Promise<Response>; end: () => void }> {
  const texts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const start =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n' +
    'Content-Type: image/jpeg\r\n\r\n'
  const parts = [
    Buffer.concat([Buffer.from(texts.join('') + start), file]),
    Buffer.from('\r\n--b--\r\n'),
  ]
  let hasRead = () => {}
  const read = new Promise<void>((resolve) => {
    hasRead = resolve
  })
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const part = parts.shift()
        if (part && parts.length === 0) {
          hasRead()
          await ended
        }
        if (part) controller.enqueue(part)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const answer = library.request('/api/v1/files', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'multipart/form-data; boundary=b',
      ...headers,
    },
    body,
    duplex: 'half',
  } as RequestInit)
  await read
  return { answer, end }
}
