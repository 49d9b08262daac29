import { lightOf } from '../../recorder/checks.ts'
import { levelOf } from '../../recorder/voice.ts'

/** How loud a microphone is right now, dBFS. It listens beside the recorder and changes nothing of what is recorded. */
export const listenTo = (stream: MediaStream) => {
  const context = new AudioContext()
  const analyser = new AnalyserNode(context, { fftSize: 1024 })
  new MediaStreamAudioSourceNode(context, { mediaStream: stream }).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    db: (): number => {
      analyser.getFloatTimeDomainData(samples)
      return levelOf(samples)
    },
    /** Browsers let sound run after a press alone. */
    wake: () => void (context.state === 'suspended' && context.resume()),
    close: () => void context.close(),
  }
}

/** The mean light of what a video shows, 0 to 255; null while it shows nothing. */
export const lookAt = () => {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 64
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return (video: HTMLVideoElement): number | null => {
    if (!context || video.videoWidth === 0) return null
    context.drawImage(video, 0, 0, 64, 64)
    return lightOf(context.getImageData(0, 0, 64, 64).data)
  }
}
