/** Draws a screen and a camera into one picture. A worker does, for a page behind other windows is not drawn. */

export type Joined = {
  screen: ReadableStream<VideoFrame>
  camera: ReadableStream<VideoFrame>
  out: WritableStream<VideoFrame>
}

// Without help of a graphics card full HD keeps two cores busy for longer than each picture lasts.
const [width, height] = navigator.hardwareConcurrency > 4 ? [1920, 1080] : [1280, 720]
/** The camera is a square of so much of the height, and stands so far from the edges. */
const side = Math.round(height * 0.26)
const margin = Math.round(height * 0.03)

addEventListener('message', ({ data }: MessageEvent<Joined>) => void join(data))

const join = async ({ screen, camera, out }: Joined): Promise<void> => {
  const behind = sheet()
  const picture = sheet()
  void each(screen, (frame) => draw(behind, frame, { x: 0, y: 0, width, height }, Math.min))
  const writer = out.getWriter()
  await each(camera, async (frame) => {
    picture.drawImage(behind.canvas, 0, 0)
    picture.save()
    picture.beginPath()
    picture.roundRect(width - side - margin, height - side - margin, side, side, 24)
    picture.clip()
    draw(picture, frame, { x: width - side - margin, y: height - side - margin, width: side, height: side }, Math.max)
    picture.restore()
    // A sheet of RGBA counts as one with clear parts, and a recorder would encode each picture twice: once more for them.
    await writer.write(new VideoFrame(picture.canvas, { timestamp: frame.timestamp, alpha: 'discard' }))
  })
  await writer.close().catch(() => undefined)
}

/** Every frame in turn; each is let go of, for a camera has few. */
const each = async (frames: ReadableStream<VideoFrame>, work: (frame: VideoFrame) => unknown): Promise<void> => {
  const reader = frames.getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    try {
      await work(value)
    } finally {
      value.close()
    }
  }
}

/** The frame in the middle of a box: whole in it by `Math.min`, filling it by `Math.max`. */
const draw = (
  on: OffscreenCanvasRenderingContext2D,
  frame: VideoFrame,
  box: { x: number; y: number; width: number; height: number },
  fit: (a: number, b: number) => number,
): void => {
  const scale = fit(box.width / frame.displayWidth, box.height / frame.displayHeight)
  const [w, h] = [frame.displayWidth * scale, frame.displayHeight * scale]
  if (fit === Math.min) on.fillRect(box.x, box.y, box.width, box.height)
  on.drawImage(frame, box.x + (box.width - w) / 2, box.y + (box.height - h) / 2, w, h)
}

const sheet = (): OffscreenCanvasRenderingContext2D => {
  const context = new OffscreenCanvas(width, height).getContext('2d', { alpha: false })
  if (!context) throw new Error('This browser draws nothing in a worker')
  return context
}
