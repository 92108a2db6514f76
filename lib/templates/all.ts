import type { TemplateCategory } from "#lib/contract/templates.ts";
import callWithASafetyNet from "../../examples/templates/basics/call-with-a-safety-net.json" with { type: "json" };
import checkAndAnswer from "../../examples/templates/basics/check-and-answer.json" with { type: "json" };
import cleanUpAList from "../../examples/templates/basics/clean-up-a-list.json" with { type: "json" };
import dailyReport from "../../examples/templates/basics/daily-report.json" with { type: "json" };
import routeByCountry from "../../examples/templates/basics/route-by-country.json" with { type: "json" };
import sideBySide from "../../examples/templates/basics/side-by-side.json" with { type: "json" };
import stopEarly from "../../examples/templates/basics/stop-early.json" with { type: "json" };
import waitAndGoOn from "../../examples/templates/basics/wait-and-go-on.json" with { type: "json" };
import batchImport from "../../examples/templates/data/batch-import.json" with { type: "json" };
import cleanUpAddresses from "../../examples/templates/data/clean-up-addresses.json" with { type: "json" };
import csvToTable from "../../examples/templates/data/csv-to-table.json" with { type: "json" };
import nightlySqlReport from "../../examples/templates/data/nightly-sql-report.json" with { type: "json" };
import syncTwoApis from "../../examples/templates/data/sync-two-apis.json" with { type: "json" };
import dedupeWebhooks from "../../examples/templates/engineering/dedupe-webhooks.json" with { type: "json" };
import errorBudget from "../../examples/templates/engineering/error-budget.json" with { type: "json" };
import failedRunsToChannel from "../../examples/templates/engineering/failed-runs-to-channel.json" with {
  type: "json",
};
import githubIssueToLinear from "../../examples/templates/engineering/github-issue-to-linear.json" with {
  type: "json",
};
import jwtEndpoint from "../../examples/templates/engineering/jwt-endpoint.json" with { type: "json" };
import uptimeCheck from "../../examples/templates/engineering/uptime-check.json" with { type: "json" };
import webhookQueue from "../../examples/templates/engineering/webhook-queue.json" with { type: "json" };
import exchangeRates from "../../examples/templates/finance/exchange-rates.json" with { type: "json" };
import expenseApproval from "../../examples/templates/finance/expense-approval.json" with { type: "json" };
import retryPayment from "../../examples/templates/finance/retry-payment.json" with { type: "json" };
import stripeReceipt from "../../examples/templates/finance/stripe-receipt.json" with { type: "json" };
import onboardingMails from "../../examples/templates/marketing/onboarding-mails.json" with { type: "json" };
import rssDigest from "../../examples/templates/marketing/rss-digest.json" with { type: "json" };
import translateTexts from "../../examples/templates/marketing/translate-texts.json" with { type: "json" };
import weeklyMetrics from "../../examples/templates/marketing/weekly-metrics.json" with { type: "json" };
import announceEverywhere from "../../examples/templates/operations/announce-everywhere.json" with { type: "json" };
import formToNotion from "../../examples/templates/operations/form-to-notion.json" with { type: "json" };
import lowStock from "../../examples/templates/operations/low-stock.json" with { type: "json" };
import standupReminder from "../../examples/templates/operations/standup-reminder.json" with { type: "json" };
import tableToS3 from "../../examples/templates/operations/table-to-s3.json" with { type: "json" };
import formToCrm from "../../examples/templates/sales/form-to-crm.json" with { type: "json" };
import leadScoring from "../../examples/templates/sales/lead-scoring.json" with { type: "json" };
import paymentReminder from "../../examples/templates/sales/payment-reminder.json" with { type: "json" };
import sheetRowsToMail from "../../examples/templates/sales/sheet-rows-to-mail.json" with { type: "json" };
import deletePersonalData from "../../examples/templates/support/delete-personal-data.json" with { type: "json" };
import telegramCommands from "../../examples/templates/support/telegram-commands.json" with { type: "json" };
import ticketTriage from "../../examples/templates/support/ticket-triage.json" with { type: "json" };
import type { TemplateDocument } from "./read-templates.ts";

/** The files of examples/templates by category and id, in the gallery's order. */
const files = {
  basics: {
    "call-with-a-safety-net": callWithASafetyNet,
    "check-and-answer": checkAndAnswer,
    "clean-up-a-list": cleanUpAList,
    "daily-report": dailyReport,
    "route-by-country": routeByCountry,
    "side-by-side": sideBySide,
    "stop-early": stopEarly,
    "wait-and-go-on": waitAndGoOn,
  },
  sales: {
    "form-to-crm": formToCrm,
    "lead-scoring": leadScoring,
    "payment-reminder": paymentReminder,
    "sheet-rows-to-mail": sheetRowsToMail,
  },
  marketing: {
    "onboarding-mails": onboardingMails,
    "rss-digest": rssDigest,
    "translate-texts": translateTexts,
    "weekly-metrics": weeklyMetrics,
  },
  support: {
    "delete-personal-data": deletePersonalData,
    "telegram-commands": telegramCommands,
    "ticket-triage": ticketTriage,
  },
  finance: {
    "exchange-rates": exchangeRates,
    "expense-approval": expenseApproval,
    "retry-payment": retryPayment,
    "stripe-receipt": stripeReceipt,
  },
  operations: {
    "announce-everywhere": announceEverywhere,
    "form-to-notion": formToNotion,
    "low-stock": lowStock,
    "standup-reminder": standupReminder,
    "table-to-s3": tableToS3,
  },
  engineering: {
    "dedupe-webhooks": dedupeWebhooks,
    "error-budget": errorBudget,
    "failed-runs-to-channel": failedRunsToChannel,
    "github-issue-to-linear": githubIssueToLinear,
    "jwt-endpoint": jwtEndpoint,
    "uptime-check": uptimeCheck,
    "webhook-queue": webhookQueue,
  },
  data: {
    "batch-import": batchImport,
    "clean-up-addresses": cleanUpAddresses,
    "csv-to-table": csvToTable,
    "nightly-sql-report": nightlySqlReport,
    "sync-two-apis": syncTwoApis,
  },
};

export const allTemplates = files as unknown as Readonly<
  Record<TemplateCategory, Readonly<Record<string, TemplateDocument>>>
>;
