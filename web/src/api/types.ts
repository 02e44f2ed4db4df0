/** Names for the types of the generated API description (wire.ts). */
import type { components } from './wire';

type Schemas = components['schemas'];

export type CatalogColumn = Schemas['CatalogColumn'];
export type CatalogSchema = Schemas['CatalogSchema'];
export type CatalogTable = Schemas['CatalogTable'];
export type Connection = Schemas['Connection'];
export type ConnectionChange = Schemas['ConnectionChange'];
export type ConnectionTest = Schemas['ConnectionTest'];
export type NewChatBody = Schemas['NewChat'];
export type NewConnection = Schemas['NewConnection'];
export type OntologyGraph = Schemas['OntologyGraph'];
export type Chat = Schemas['Chat'];
export type ChartInfo = Schemas['ChartInfo'];
export type CannotAnswer = Schemas['CannotAnswer'];
export type DataAgentStreamEvent = Schemas['StreamEvent'];
export type DataChatMessage = Schemas['Message'];
export type Dataset = Schemas['Dataset'];
export type DatasetColumn = Schemas['DatasetColumn'];
export type DatasetTable = Schemas['DatasetTable'];
export type DataLineage = Schemas['DataLineage'];
export type FileProblem = Schemas['FileProblem'];
export type JoinPlan = Schemas['JoinPlan'];
export type LiveRun = Schemas['LiveRun'];
export type LlmTrace = Schemas['Trace'];
export type Me = Schemas['Me'];
export type MessagePair = Schemas['MessagePair'];
export type MessageStatus = Schemas['MessageStatus'];
export type Metadata = Schemas['Metadata'];
export type ModelDataset = Schemas['ModelDataset'];
export type ModelDetails = Schemas['ModelDetails'];
export type ModelEdit = Schemas['ModelEdit'];
export type ModelEdits = Schemas['ModelEdits'];
export type ModelField = Schemas['ModelField'];
export type ModelMetric = Schemas['ModelMetric'];
export type ModelParts = Schemas['ModelParts'];
export type ModelRelationship = Schemas['ModelRelationship'];
export type ModelSaved = Schemas['ModelSaved'];
export type ModelVersion = Schemas['ModelVersion'];
export type MetricPreview = Schemas['MetricPreview'];
export type RelationshipEvidence = Schemas['RelationshipEvidence'];
export type ModelRun = Schemas['ModelRun'];
export type ModelRunEvent = Schemas['ModelRunEvent'];
export type Board = Schemas['Board'];
export type BoardCard = Schemas['BoardCard'];
export type BoardChange = Schemas['BoardChange'];
export type BoardWithCards = Schemas['BoardWithCards'];
export type CardChange = Schemas['CardChange'];
export type CardChart = Schemas['CardChart'];
export type NewCard = Schemas['NewCard'];
export type NewSchedule = Schemas['NewSchedule'];
export type Schedule = Schemas['Schedule'];
export type ScheduleChange = Schemas['ScheduleChange'];
export type ScheduleDelivery = Schemas['ScheduleDelivery'];
export type ScheduleRun = Schemas['ScheduleRun'];
export type ModelStage = Schemas['ModelStage'];
export type NewModelRun = Schemas['NewModelRun'];
export type ModelSettings = Schemas['ModelSettings'];
export type Ontology = Schemas['Ontology'];
export type Phase = Schemas['Phase'];
export type Plan = Schemas['Plan'];
export type Preference = Schemas['Preference'];
export type Provider = Schemas['Provider'];
export type ModelKnobs = Schemas['ModelKnobs'];
export type ProviderId = Schemas['ProviderId'];
export type SharedChat = Schemas['SharedChat'];
export type SharedMessage = Schemas['SharedMessage'];
export type SqlResult = Schemas['SqlResult'];
export type StepResult = Schemas['StepResult'];
export type SystemSettings = Schemas['SystemSettings'];
export type TokensUsed = Schemas['TokensUsed'];
export type ToolCall = Schemas['ToolCall'];
export type NewTrustedAnswer = Schemas['NewTrustedAnswer'];
export type TrustedAnswer = Schemas['TrustedAnswer'];
export type TrustedMark = Schemas['TrustedMark'];
export type UploadedDataset = Schemas['UploadedDataset'];
export type User = Schemas['User'];
export type UserSettings = Schemas['UserSettings'];
export type VerificationReport = Schemas['VerificationReport'];

/** In a list, metadata may be "deferred": only the message itself has them. */
export function metadataOf(message: { metadata?: DataChatMessage['metadata'] }): Metadata | null {
  const metadata = message.metadata;
  return metadata && !('deferred' in metadata) ? metadata : null;
}

/** The pipeline's plan; the scientist's, of the same name, has no steps. */
export function planOf(metadata: Metadata | null | undefined): Plan | null {
  const plan = metadata?.plan as Plan | null | undefined;
  return Array.isArray(plan?.steps) ? plan : null;
}

export function isDeferred(message: { metadata?: DataChatMessage['metadata'] }): boolean {
  return Boolean(message.metadata && 'deferred' in message.metadata);
}
