/** Which texts are worth a server: those that mention PySpark, and Databricks sources, where `spark` is simply there. */

const PYSPARK = /\bpyspark\b/;
const DATABRICKS = "# Databricks notebook source";

export function mentionsSpark(text: string): boolean {
  return text.startsWith(DATABRICKS) || PYSPARK.test(text);
}
