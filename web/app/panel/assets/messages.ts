import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    tray: 'Uploads',
    tooLarge: 'This file is too large. Send at most 4 GB.',
    emptyFile: 'This file is empty. Choose another file.',
    unreadable: 'This device can no longer read the file. Choose it again.',
    refused: 'The service did not take this file. Choose another file.',
    sending: 'Uploading',
    paused: 'Waiting for the network – resumes by itself',
    elsewhere: 'Uploading in another tab',
    elsewhereDevice: 'Not all of it is here yet. If no other device is sending it, choose the same file again.',
    recordedElsewhere: 'Being recorded, or left half way, on another device. Open New video there to finish it.',
    recording: 'Being recorded',
    left: (when: string, length: string, percent: string) =>
      `Your take of ${when}, ${length} long: ${percent} of it is uploaded, the rest is safe on this device.`,
    finishIt: 'Finish it',
    saveFile: 'Save it to this device',
    fragile: 'Keep this page open until the upload is done.',
    sentOf: (sent: string, total: string) => `${sent} of ${total}`,
    received: 'Uploaded. Waiting to be checked',
    checking: 'Checking the video',
    stage: (stage: string) => stage.charAt(0).toUpperCase() + stage.slice(1),
    ready: 'Ready',
    rejected: 'This file cannot be used',
    failed: 'Something went wrong with this file on our side',
    failedText: 'Upload it again. If it fails once more, send it to us another way.',
    another: 'Choose another file',
    pictureUnreadable: 'This picture cannot be read. Choose a PNG or JPEG.',
    pictureSlow: 'The picture is still being checked. Try again in a minute.',
    discard: 'Remove',
    discardNamed: (name: string) => `Remove ${name}`,
    discardTitle: 'Remove this file?',
    discardText: (name: string) => `“${name}” is deleted here and from the service. You would upload it again.`,
    keep: 'Keep it',
    finish: 'Finish your new video',
    toProject: 'Open the project',
    videosWaiting: (n: number) =>
      n === 0
        ? 'A file could not be used'
        : n === 1
          ? '1 video waits to be submitted'
          : `${n} videos wait to be submitted`,
  },
})
