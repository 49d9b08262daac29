/**
 * The specification's calls (docs/specification/calls.md and things.md), written down by hand and not from our contract:
 * method, path, documented body and query fields, documented answer fields. `Entity[]` is a list, `page of Entity`
 * a page.
 */
export type SpecifiedCall = {
  call: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`
  body?: readonly string[]
  query?: readonly string[]
  answers: keyof typeof entities | `${keyof typeof entities}[]` | `page of ${keyof typeof entities}` | readonly string[]
}

/** Every entity's fields; those with `?` may be absent. */
export const entities = {
  User: 'id name email fcmToken? profession? photoUrl? preferences? tenantId? editorId? timezone? experienceId? customerId role',
  Project:
    'id title instructions submitMonth captionStyle finalVideoId? thumbnailUrl? modified feedback? captionSuggestion? editorId? userId assets? expirationTimestamp isFree? timeline submitTimestamp tenantId? status',
  Goal: 'id editorId isoWeek target progress createdAt dailyMilestones',
  Note: 'id userId authorEmail assets title content createdAt modified history?',
  Prompt: 'id tenantId categories',
  Script: 'id title content tags? userId?',
  Tenant:
    'id name isActive isSubscriptionActive preferences inviteCode totalUsersAllowed currentUsersSize? chargeByEmail defaultProductId? defaultPlanId? defaultCoupomCode? allowedProducts? useOwnScripts? subscription?',
  Subscription:
    'id status startDate? daysUntilDue? renewAutomatically? currentPeriodStart? currentPeriodEnd? paymentMethodId? product type? plan?',
  Product: 'id name descriptions metadata plans percentOff',
  Charge: 'id created paid receiptUrl status price paymentType last4? brand?',
  Trigger:
    'id title description transportType notification history? status recurrence? timezone? tenantIds? executionDate? timeOfDay criteria nextExecution? createdAt? modified?',
  Notification: 'id userId triggerId? title body status deliveredAt openedAt? deletedAt? cta? metadata error?',
  Invitation: 'name',
} as const

const paging = ['perPage', 'cursor', 'orderBy', 'wheres'] as const

export const specification: readonly SpecifiedCall[] = [
  {
    call: 'POST /notifications/trigger/',
    body: [
      'title',
      'description',
      'transportType',
      'notification',
      'recurrence',
      'timezone',
      'tenantIds',
      'executionDate',
      'timeOfDay',
      'criteria',
    ],
    answers: 'Trigger',
  },
  { call: 'GET /notifications/trigger/list/', query: paging, answers: 'page of Trigger' },
  { call: 'PUT /notifications/trigger/{id}/', body: ['title'], answers: 'Trigger' },
  { call: 'DELETE /notifications/trigger/{id}/', answers: [] },
  { call: 'POST /notifications/push/', body: ['userIds', 'title', 'body', 'cta', 'metadata'], answers: ['success'] },
  { call: 'GET /notifications/list/', query: paging, answers: 'page of Notification' },
  { call: 'PUT /notifications/{id}/read/', answers: 'Notification' },
  { call: 'DELETE /notifications/clear/', answers: [] },

  { call: 'GET /prompts/getPrompt', answers: 'Prompt' },
  { call: 'POST /prompts/script/new/', body: ['title', 'content', 'tags'], answers: 'Script' },
  { call: 'GET /prompts/script/list/', query: paging, answers: 'page of Script' },
  { call: 'PUT /prompts/script/{id}/update/', body: ['title', 'content', 'tags'], answers: 'Script' },
  { call: 'DELETE /prompts/script/{id}/delete/', answers: [] },

  { call: 'GET /subscriptions/portal/', answers: ['url'] },
  { call: 'GET /subscriptions/products/public/retrieve/{id}', answers: 'Product' },
  { call: 'GET /subscriptions/active/', answers: 'Subscription' },
  { call: 'GET /subscriptions/{userId}/find/', answers: 'Subscription' },
  { call: 'GET /subscriptions/payment/charge/list/', answers: 'Charge[]' },
  { call: 'GET /subscriptions/products/public/list/', answers: 'Product[]' },
  { call: 'GET /subscriptions/products/list/', answers: 'Product[]' },
  // `shown` is ours: nobody is charged more than they were shown (docs/decisions/1173).
  { call: 'POST /subscriptions/payment/checkout/', body: ['planId', 'shown'], answers: ['url'] },
  { call: 'POST /subscriptions/payment/charge/', body: ['shown'], answers: ['success'] },
  { call: 'PUT /subscriptions/pause/', answers: [] },
  { call: 'PUT /subscriptions/resume/', body: ['shown'], answers: [] },
  { call: 'PUT /subscriptions/plan/update/', body: ['planId', 'shown'], answers: [] },

  { call: 'GET /tenants/public/invitation/{code}', answers: 'Invitation' },
  { call: 'PUT /tenants/create', body: ['name'], answers: 'Tenant' },
  { call: 'GET /tenants/me', answers: 'Tenant' },
  { call: 'GET /tenants/{tenantId}/find', answers: 'Tenant' },
  { call: 'POST /tenants/update', body: ['tenantId', 'data'], answers: 'Tenant' },
  { call: 'GET /tenants/list', query: paging, answers: 'page of Tenant' },

  { call: 'GET /accounts/users/search/', query: paging, answers: 'page of User' },
  { call: 'DELETE /accounts/user/delete/', query: ['userId'], answers: [] },
  { call: 'POST /accounts/user/createToken/', answers: ['token'] },
  { call: 'GET /accounts/user/getToken/', answers: ['token'] },
  { call: 'POST /accounts/public/email/send', query: ['email'], answers: [] },
  { call: 'POST /accounts/public/changePassword/', body: ['email', 'pass', 'passConfirm', 'code'], answers: [] },
  { call: 'PUT /accounts/user/changeEmail', body: ['email', 'code'], answers: [] },
  { call: 'POST /accounts/public/email/validate', query: ['email', 'code', 'keepCode'], answers: ['isValid'] },
  { call: 'GET /accounts/public/email/avaliable', query: ['email'], answers: ['isValid'] },
  {
    call: 'PUT /accounts/user/update',
    body: ['name', 'profession', 'photoUrl', 'preferences', 'timezone', 'fcmToken', 'userId'],
    answers: 'User',
  },
  { call: 'GET /accounts/binded/list', query: ['editorId'], answers: 'page of User' },
  { call: 'POST /accounts/user/setup/', body: ['name', 'profession'], answers: 'User' },
  { call: 'POST /accounts/public/login', body: ['system', 'email', 'password'], answers: ['token'] },
  {
    call: 'POST /accounts/public/create',
    body: ['email', 'name', 'password', 'passwordConfirmation', 'profession', 'invitationCode'],
    answers: ['token'],
  },
  { call: 'GET /accounts/user/info', answers: 'User' },

  { call: 'POST /projects/reorder/', body: ['projectId', 'position'], answers: 'Project' },
  { call: 'GET /projects/list', query: paging, answers: 'page of Project' },
  { call: 'GET /projects/{userId}/next', answers: 'Project' },
  {
    call: 'POST /projects/create',
    body: ['title', 'instructions', 'submitMonth', 'captionStyle', 'captionSuggestion', 'assets'],
    answers: 'Project',
  },
  { call: 'GET /projects/{projectId}/', answers: 'Project' },
  { call: 'GET /projects/goals/list/', answers: 'page of Goal' },
  { call: 'POST /projects/{projectId}/review/', body: ['revision'], answers: 'Project' },
  { call: 'DELETE /projects/{projectId}/cancel/', answers: 'Project' },
  { call: 'PUT /projects/edition/start/', body: ['projectId'], answers: 'Project' },
  { call: 'PUT /projects/{projectId}/sendToApproval/', body: ['finalVideoId'], answers: 'Project' },
  { call: 'GET /projects/free/allowed/', answers: ['canCreate'] },
  { call: 'POST /projects/{projectId}/approve/', body: ['publishAt'], answers: 'Project' },
  { call: 'POST /projects/{projectId}/unschedule/', answers: 'Project' },
  { call: 'POST /projects/{projectId}/rollback/', answers: 'Project' },
  { call: 'POST /projects/{projectId}/deny/', body: ['denyFeedback', 'categories'], answers: 'Project' },
  { call: 'GET /projects/user/{userId}/history/', query: paging, answers: 'page of Project' },
  { call: 'GET /projects/pool/size/', answers: ['size'] },

  { call: 'GET /user-context/notes/user/{userId}/', answers: ['items'] },
  { call: 'PUT /user-context/notes/', body: ['userId', 'title', 'content', 'assets'], answers: 'Note' },
  { call: 'DELETE /user-context/notes/{id}/', answers: [] },
  { call: 'POST /user-context/notes/{id}/', body: ['title', 'content'], answers: 'Note' },

  { call: 'POST /emails/public/send', body: ['to', 'subject', 'body'], answers: ['result'] },
  { call: 'GET /app-config/public/version/latest', answers: ['version'] },
  { call: 'POST /track/public/send/', body: ['category', 'label', 'action', 'params'], answers: [] },
]
