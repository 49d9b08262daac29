import { inLanguage } from '../language.ts'

export const messages = inLanguage({
  en: {
    app: 'Authenticator app',
    appScan: 'Scan this with your authenticator app, such as Google Authenticator, 1Password or the one in your phone.',
    appQr: 'QR code for your authenticator app',
    appType: 'On this very phone? Open the app, or copy the key into it:',
    appOpen: 'Open my app',
    appKey: 'Key for your authenticator app',
    copy: 'Copy',
    copied: 'Copied',
    code: 'Code from the app',
    codeHint: 'Six digits, new every 30 seconds.',
    needCode: 'Write all six digits.',
    confirm: 'Turn it on',

    passkey: 'Passkey',
    passkeyText:
      'Your finger, your face or your PIN instead of a code. It stays on this device or in your password manager.',
    passkeyName: 'Name',
    passkeyNameHint: 'So that you know it again.',
    needName: 'Give it a name.',
    passkeyMake: 'Make a passkey',
    passkeyStopped: 'No passkey was made. Try again when you are ready.',
    passkeyKnown: 'This device has a passkey for this account already.',
    onPhone: 'My phone',
    onComputer: 'My computer',

    codes: 'Recovery codes',
    codesText:
      'Lost your phone? Each of these signs you in once. Keep them where you keep other important papers; we cannot show them again.',
    download: 'Save as a file',
    copyAll: 'Copy all',
    codesKept: 'I have kept them',
    fileName: 'clear-to-post-recovery-codes.txt',
    fileHead: 'Recovery codes for Clear to Post. Each works once.',
  },
})
